import type { Services } from '#server/platform/context.ts'

const fail = () => Promise.reject(new Error('nobody is written to here'))

/** For tests that send no messages. */
export const noMessages: Pick<Services, 'messenger' | 'webhooks' | 'publicUrl'> = {
  messenger: { whoAmI: fail, send: fail, answer: fail, poll: fail, close: () => Promise.resolve() },
  webhooks: { send: fail, close: () => Promise.resolve() },
  publicUrl: 'https://panel.test',
}
