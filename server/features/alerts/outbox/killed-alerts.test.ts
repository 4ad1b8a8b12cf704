import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSecrets } from '#server/platform/secrets.ts'
import { soakAlerts } from '#server/testing/alert-soak.ts'
import { createTestServices } from '#server/testing/services.ts'

test('R-MON-04 processes killed at any moment and a faulty Telegram lose no alert and mark every repeat', async () => {
  const key = randomBytes(32)
  const { services, databaseUrl, close } = await createTestServices()
  try {
    const ledger = await soakAlerts({ ...services, secrets: createSecrets(key) }, databaseUrl, key, {
      seconds: 15,
      incidentsPerSecond: 3,
      kills: 4,
      seed: 20_261_122,
    })
    expect(ledger).toMatchObject({ undelivered: 0, lost: [], twice: [], webhookWrong: [], forged: 0, sentFalsely: 0, kills: 4 })
    expect(ledger.incidents).toBeGreaterThan(30)
  } finally {
    await close()
  }
}, 300_000)
