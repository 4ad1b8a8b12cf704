import type { AdTrackers } from '#server/ports/ad-tracker.ts'

/** For tests that call no tracker. */
export const noTrackers: AdTrackers = {
  connect: () => {
    throw new Error('there are no trackers here')
  },
  findAddresses: () => Promise.resolve([]),
  close: () => Promise.resolve(),
}
