/** Scenarios in which the suite itself breaks a standard, so that a correct client fails. */
export interface ExpectedFailure {
  readonly suite: string
  readonly scenario: string
  readonly why: string
}

export const expectedFailures: readonly ExpectedFailure[] = [
  {
    suite: '0.1.16',
    scenario: 'auth/2025-03-26-oauth-metadata-backcompat',
    why: `The metadata that the suite serves at the server's root names another issuer (its /oauth prefix). RFC 8414, section 3.3, says that
      such metadata must not be used. The preview of the suite has corrected this, and Ostler passes it there.`,
  },
]
