import { describe, expect, test } from 'vitest'
import { serversSetAt } from './servers-set-at.ts'

const connected = { name: 'Pork', type: 'API_ENABLED' }

describe('R-DOM-06 the name servers of a new domain', () => {
  test('are set at its connected registrar when that step did not fail', () => {
    expect(serversSetAt(connected, [])).toBe('Pork')
    expect(serversSetAt(connected, [{ part: 'records' }])).toBe('Pork')
  })

  test.each(['name_servers', 'registrar'])('still have to be set when the step %s failed', (part) => {
    expect(serversSetAt(connected, [{ part }])).toBeNull()
  })

  test('still have to be set without a registrar or at one without an API', () => {
    expect(serversSetAt(undefined, [])).toBeNull()
    expect(serversSetAt({ name: 'Pork', type: 'MANUAL' }, [])).toBeNull()
  })
})
