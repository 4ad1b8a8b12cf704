import { createRdap } from '#server/integrations/rdap/adapter.ts'
import { systemClock } from '#server/platform/clock.ts'
import { createLog } from '#server/platform/log.ts'
import type { Registry } from '#server/ports/registry.ts'
import { startRdapSimulator } from '#server/simulators/rdap.ts'
import type { RdapSimulator, RegistryEntry } from '#server/simulators/rdap.ts'
import type { TestDatabase } from '#server/testing/database.ts'

export interface TestRegistry {
  readonly simulator: RdapSimulator
  /** The registrations, which tests may change. */
  readonly names: Map<string, RegistryEntry>
  /** Closes the simulator too. */
  readonly registry: Registry
  /** A second client, as in another process. */
  connect(): Registry
}

/** Registries with these names and a client for them, both without call limits. */
export async function startTestRegistry({ db }: Pick<TestDatabase, 'db'>): Promise<TestRegistry> {
  const names = new Map<string, RegistryEntry>()
  const simulator = await startRdapSimulator({ find: (name) => names.get(name) ?? null, perSecond: null })
  const connect = () =>
    createRdap({
      directoryUrl: simulator.url,
      allow: ['127.0.0.0/8'],
      sql: db.sql,
      clock: systemClock,
      log: createLog('silent'),
      userAgent: 'zonedeck-test',
      limit: { limit: 100_000, windowMs: 1_000 },
    })
  const own = connect()
  return {
    simulator,
    names,
    connect,
    registry: {
      lookUp: own.lookUp,
      close: async () => {
        await own.close()
        await simulator.close()
      },
    },
  }
}
