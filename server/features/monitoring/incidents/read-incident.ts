import { domainToUnicode } from 'node:url'
import { requireZone } from '#server/features/domains/index.ts'
import { findShared, getOwnerScope, grantsOf, levelOf, noGrants, requireLevel } from '#server/platform/access-scope.ts'
import type { Ctx } from '#server/platform/context.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { readCause } from '#shared/features/monitoring/cause.ts'
import type { EarlierChange, IncidentDetails } from '#shared/features/monitoring/reports.ts'
import { findKind, operationSubject } from '#shared/features/operations/registry.ts'
import { findIncidentRow } from '../health/overview-reading.repo.ts'
import { listPanelChanges, listProviderChangesBefore, mostChanges } from './earlier-changes.repo.ts'
import type { Failed, PanelChange, ProviderChangeBefore } from './earlier-changes.repo.ts'
import { listAccountsOf, listAffected, listConfirmations, listOfAccount } from './incident-details.repo.ts'
import { describeCauses } from './cause-names.repo.ts'
import { isoOf, isoOrNull, toIncident } from './incident-view.ts'
import { entriesOfOthers } from './timeline.policy.ts'

const mostListed = 20

/**
 * An incident with the other domains of the outage, its timeline, and what changed just before.
 * @throws AppError not_found
 */
export async function readIncident(ctx: Ctx, { id }: { readonly id: string }): Promise<IncidentDetails> {
  const db = ctx.db.orm
  const row = await findIncidentRow(db, id)
  if (row === null) throw new AppError('not_found')
  const target = { ownerId: row.ownerId, accountId: row.accountId, groupId: row.groupId }
  // Access to the domain includes its incidents, also those from before it was deleted.
  if (row.domainId === null || row.isGone) await requireLevel(ctx, target, 'view')
  else await requireZone(ctx, row.domainId, 'view')
  const cause = readCause(row.cause)
  const [affected, shared, names, confirmations] = await Promise.all([
    row.domainId !== null
      ? listAffected(db, await getOwnerScope(ctx, row.ownerId), row, cause.kind !== 'code')
      : cause.kind === 'account'
        ? listOfAccount(db, cause.id)
        : [],
    findShared(ctx, target),
    // A domain's registrar and tracker are visible only to their owner.
    isOwner(ctx, row.ownerId) || cause.kind === 'account' ? describeCauses(db, [row.cause]) : null,
    row.domainId !== null && row.closedAt === null && row.health === 'critical' ? listConfirmations(db, row.domainId) : [],
  ])
  const startedAt = affected[0]?.openedAt ?? row.openedAt
  const incident = toIncident(row, shared)
  return {
    incident: {
      ...incident,
      timeline: [
        ...incident.timeline,
        ...confirmations.map(({ region, since }) => ({ at: isoOf(since), kind: 'confirmed', region })),
        // The message of an outage that the domain joined later is older than its incident.
        ...(row.told && row.openTakenAt !== null && Date.parse(row.openTakenAt) >= Date.parse(row.openedAt)
          ? [{ at: isoOf(row.openTakenAt), kind: 'notified' }]
          : []),
        ...entriesOfOthers(affected.filter((each) => each.id !== row.id)),
      ].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    },
    causeName: names?.get(row.cause)?.name ?? null,
    startedAt: isoOf(startedAt),
    affected: {
      total: affected[0]?.total ?? 0,
      domains: affected.slice(0, mostListed).map(({ domainId, name, openedAt, closedAt }) => ({
        zoneId: domainId,
        name,
        displayName: domainToUnicode(name) || name,
        openedAt: isoOrNull(openedAt),
        closedAt: isoOrNull(closedAt),
      })),
    },
    changes: await listEarlierChanges(ctx, row.ownerId, {
      domainIds: affected.flatMap(({ domainId }) => domainId ?? []),
      at: new Date(startedAt),
    }),
  }
}

const isOwner = ({ actor }: Ctx, ownerId: string) => levelOf(actor, noGrants, { ownerId }) === 'own'

async function listEarlierChanges(ctx: Ctx, ownerId: string, { domainIds, at }: Omit<Failed, 'accountIds'>): Promise<EarlierChange[]> {
  if (domainIds.length === 0) return []
  const db = ctx.db.orm
  const grants = await grantsOf(ctx)
  // What concerns a whole account is only for those who see all of it.
  const accountIds = (await listAccountsOf(db, domainIds)).filter(
    (accountId) => levelOf(ctx.actor, grants, { ownerId, accountId }) !== null,
  )
  const failed = { domainIds, accountIds, at }
  const [panel, provider] = await Promise.all([listPanelChanges(db, failed), listProviderChangesBefore(db, failed)])
  return [...panel.map((change) => toPanelChange(ctx, change)), ...provider.map(toProviderChange)]
    .toSorted((one, other) => other.domains - one.domains || Date.parse(other.at) - Date.parse(one.at))
    .slice(0, mostChanges)
}

const accountOf = ({ accountId, accountName }: Pick<PanelChange, 'accountId' | 'accountName'>): EarlierChange['account'] =>
  accountId === null || accountName === null ? null : { id: accountId, name: accountName }

const shared = ({ at, actor, kinds, domains, subject, ...of }: PanelChange | ProviderChangeBefore) => ({
  at: isoOf(at),
  actor,
  kinds: [...kinds],
  domains,
  subject,
  account: accountOf(of),
})

function toPanelChange(ctx: Ctx, change: PanelChange): EarlierChange {
  const { source, operation } = change
  return {
    ...shared(change),
    source,
    operation:
      operation === null
        ? null
        : {
            id: operation.id,
            kind: operation.kind,
            subject: operationSubject(operation.kind, operation.input),
            canOpen: isOwner(ctx, operation.ownerId),
            canUndo: isOwner(ctx, operation.ownerId) && operation.undoable && findKind(operation.kind)?.undo === 'whole',
          },
  }
}

const toProviderChange = (change: ProviderChangeBefore): EarlierChange => ({ ...shared(change), source: 'provider', operation: null })
