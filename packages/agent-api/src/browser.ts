// For a browser, where the rest of the package cannot run: words for a person, and pure rules.
export { defined, isRecord } from './base/is-record.ts'
export { counted, formatBytes, formatDuration, trimZeros } from './base/quantities.ts'
export { quoteWord } from './base/quote-word.ts'
export { approvalWords, modeNames } from './policy/approval-mode.ts'
export { describeClaims } from './policy/describe-claims.ts'
export { describeDecision, explainRule, parseRule } from './policy/decision-rule.ts'
export { foldTranscript, statusOfCall, type TranscriptCall } from './messages/transcript.ts'
export { useOfStoredServer, type StoredServerUse } from './servers/stored/stored-choice.ts'
