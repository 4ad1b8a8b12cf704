import { reasonRow } from '#shared/features/monitoring/reasons.ts'
import type { Notices, Reason } from '#shared/features/monitoring/schema.ts'
import type { WindowRow } from '../windows.repo.ts'

export interface Happened {
  readonly health: 'warnings' | 'critical'
  readonly reasons: readonly Reason[]
  readonly groupId: string | null
  readonly domainId: string | null
  readonly openedAt: Date
  readonly closedAt: Date | null
  /** A warning of the same problem was reported within the last day. */
  readonly notifiedRecently: boolean
  readonly mutedUntil: Date | null
  /** It ended before the mute did. */
  readonly endedMuted: boolean
}

export type Window = Pick<WindowRow, 'groupId' | 'domainIds' | 'startsAt' | 'endsAt'>

export type Decision =
  | { readonly do: 'notify' }
  /** It has ended, but lasted long enough to be reported together with its end. */
  | { readonly do: 'notify_end' }
  | { readonly do: 'hold'; readonly until: number }
  | { readonly do: 'skip' }

/** Shorter incidents that ended before a notification was sent are not reported. */
const minNotifiableMs = 60_000

/** Whether the preferences include the incident. A domain that is down is a status change too, whatever the reason. */
export const isWanted = ({ health, reasons }: Pick<Happened, 'health' | 'reasons'>, notices: Notices): boolean =>
  (health === 'critical' && notices.statusChange) ||
  (reasons.length === 0 ? notices.statusChange : reasons.some(({ code }) => notices[reasonRow(code).notice]))

const covers = ({ groupId, domainIds }: Window, happened: Happened): boolean =>
  domainIds !== null
    ? happened.domainId !== null && domainIds.includes(happened.domainId)
    : groupId === null || groupId === happened.groupId

/** Until when maintenance or a mute holds it back; null: nothing does. */
function heldUntil(happened: Happened, windows: readonly Window[], now: number): number | null {
  const ends = windows
    .filter((window) => window.startsAt.getTime() <= now && window.endsAt.getTime() > now && covers(window, happened))
    .map(({ endsAt }) => endsAt.getTime())
  const muted = happened.mutedUntil?.getTime() ?? 0
  const until = Math.max(...ends, muted)
  return until > now ? until : null
}

/** Decides what to do about the start of an incident. */
export function decide(
  happened: Happened,
  around: {
    readonly now: number
    readonly notices: Notices
    readonly windows: readonly Window[]
    /** From `quietUntil`. */
    readonly quiet: number | null
    /** Others of the cause were reported recently, so further ones are collected until this time. */
    readonly groupUntil: number | null
  },
): Decision {
  const { now, notices, windows, quiet, groupUntil } = around
  if (!isWanted(happened, notices)) return { do: 'skip' }
  const held = heldUntil(happened, windows, now)
  if (happened.closedAt !== null) {
    const duringMaintenance = windows.some(
      (window) => window.startsAt <= happened.openedAt && window.endsAt > happened.openedAt && covers(window, happened),
    )
    const long = happened.closedAt.getTime() - happened.openedAt.getTime() >= minNotifiableMs
    const quietly = held !== null || happened.endedMuted || duringMaintenance
    return { do: happened.health === 'critical' && long && !quietly ? 'notify_end' : 'skip' }
  }
  if (held !== null) return { do: 'hold', until: held }
  if (happened.health === 'warnings') {
    if (happened.notifiedRecently) return { do: 'skip' }
    if (quiet !== null) return { do: 'hold', until: quiet }
  }
  if (groupUntil !== null && groupUntil > now) return { do: 'hold', until: groupUntil }
  return { do: 'notify' }
}
