/** All tools that an editor may provide. A separate file for users that only need the names. */
export const editorToolNames = ['ask_person'] as const
