import { domainToUnicode } from 'node:url'
import { z } from 'zod'
import { displayAddress } from '#shared/features/redirects/redirect-url.ts'
import { operationSubject } from '#shared/features/operations/registry.ts'
import { itemPlan, purchaseStep } from '#shared/features/operations/schema.ts'
import type { Operation, OperationItem } from '#shared/features/operations/schema.ts'
import { fullPhase } from '#shared/features/profiles/schema.ts'
import type { ItemRow, LookedAtRow, OperationRow } from './operations.repo.ts'

/** Invalid names are shown unchanged. Of the URL of a redirect, the platform would leave only the host. */
export const displayName = (name: string): string => (name.includes('/') ? displayAddress(name) : domainToUnicode(name) || name)

const created = z.object({ nameServers: z.array(z.string()), serversSet: z.boolean().default(false) })
const bought = z.object({ steps: z.array(purchaseStep) })
const noRoom = z.object({ fullPhases: z.array(fullPhase) })
const iso = (date: Date | null) => date?.toISOString() ?? null

/** A new operation has no canary result yet. */
export function toOperation(row: OperationRow | LookedAtRow): Operation {
  const counts = row.counts as Readonly<Partial<Record<string, number>>>
  const count = (state: string) => counts[state] ?? 0
  const about = 'trialOver' in row ? row : { nameGiven: null, undone: null }
  return {
    id: row.id,
    ownerId: row.ownerId,
    actorName: row.actorName,
    kind: row.kind,
    subject:
      about.undone === null
        ? (operationSubject(row.kind, row.input) ?? about.nameGiven)
        : (operationSubject(about.undone.kind, about.undone.input) ?? about.undone.nameGiven),
    state: row.state,
    total: row.total,
    done: count('done') + count('undone') + count('attention'),
    attention: count('attention'),
    failed: count('failed'),
    skipped: count('skipped'),
    cancelled: count('cancelled'),
    waiting: count('waiting'),
    undone: count('undone'),
    undoOf: row.undoOf,
    undoOfKind: about.undone?.kind ?? null,
    priority: row.priority < 0 ? 'low' : row.priority > 0 ? 'high' : 'normal',
    canary: row.canary,
    trialOver: 'trialOver' in row && row.trialOver,
    partlyDone: 'partlyDone' in row && row.partlyDone,
    scheduledAt: iso(row.scheduledAt),
    startedAt: iso(row.startedAt),
    finishedAt: iso(row.finishedAt),
    restedSeconds: row.restedSeconds,
    createdAt: row.createdAt.toISOString(),
  }
}

/** The preview; if the run found that the domain has no room for the rules, the phases take the place of the changes, as in a preview. */
function planOf({ plan, state, code, result }: ItemRow): OperationItem['plan'] {
  const full = state === 'failed' && code === 'rule_quota_reached' ? noRoom.safeParse(result).data : undefined
  return { ...itemPlan.parse(plan), ...(full === undefined ? {} : { after: full }) }
}

/** Omits the data that only `run` needs. */
export function toItem(row: ItemRow): OperationItem {
  const steps = bought.safeParse(row.result).data?.steps
  const { nameServers = null, serversSet = false } = created.safeParse(row.result).data ?? {}
  return {
    position: row.position,
    zoneId: row.domainId,
    present: row.present,
    domain: row.name,
    displayName: displayName(row.name),
    account: row.accountEmail || null,
    state: row.state,
    plan: planOf(row),
    code: row.code,
    providerCode: row.providerCode,
    message: row.message,
    waitUntil: iso(row.waitUntil),
    finishedAt: iso(row.finishedAt),
    nameServers,
    serversSet,
    ...(steps === undefined ? {} : { steps }),
  }
}
