/** What can be done from below a message. */
export type ButtonAct = 'ack' | 'mute' | 'check'
const acts: readonly ButtonAct[] = ['ack', 'mute', 'check']
const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Within Telegram's 64 bytes: `ack:0197…`, with the id of the message in the outbox. */
export const idOfButton = (act: ButtonAct, messageId: string): string => `${act}:${messageId}`

export function readButton(data: string): { readonly act: ButtonAct; readonly messageId: string } | null {
  const [name = '', messageId = '', ...rest] = data.split(':')
  const act = acts.find((each) => each === name)
  return act === undefined || rest.length > 0 || !uuid.test(messageId) ? null : { act, messageId }
}
