import type { Registrars } from '#server/ports/registrar.ts'
import type { Registry } from '#server/ports/registry.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import type { Services } from '#server/platform/context.ts'

/** For tests that call no registrar. */
export const noRegistrars: Registrars = {
  connect: () => {
    throw new Error('there are no registrars here')
  },
  close: () => Promise.resolve(),
}

/** For tests that query no registry: like top-level domains without RDAP. */
export const noRegistry: Registry = { lookUp: () => Promise.resolve({ state: 'not_offered' }), close: () => Promise.resolve() }

/** For tests that call no tracker. */
export const noTrackers: AdTrackers = {
  connect: () => {
    throw new Error('there are no trackers here')
  },
  findAddresses: () => Promise.resolve([]),
  close: () => Promise.resolve(),
}

const fail = () => Promise.reject(new Error('nobody is written to here'))

/** For tests that send no messages. */
export const noMessages: Pick<Services, 'messenger' | 'webhooks' | 'publicUrl'> = {
  messenger: { whoAmI: fail, send: fail, edit: fail, answer: fail, poll: fail, close: () => Promise.resolve() },
  webhooks: { send: fail, close: () => Promise.resolve() },
  publicUrl: 'https://panel.test',
}
