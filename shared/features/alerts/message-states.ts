/** The states of a message to a channel. */
export const messageStates = ['pending', 'sending', 'sent', 'failed', 'dropped'] as const
