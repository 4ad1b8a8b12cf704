import { randomBytes, randomUUID } from 'node:crypto'
import type { Transaction } from '#server/db/client.ts'
import { audit } from '#server/platform/audit.ts'
import type { Ctx } from '#server/platform/context.ts'
import { rejectMetadataAddress } from '#server/platform/metadata-addresses.ts'
import { requireRoom } from '#server/platform/owner-limits.repo.ts'
import { requireLevel } from '#server/platform/access-scope.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { addressFields, channelKinds, hasField } from '#shared/features/alerts/channel-kinds.ts'
import type { AlertChannel, ChannelChanges, NewChannel } from '#shared/features/alerts/schema.ts'
import type { OfOwner } from '#shared/features/monitoring/settings.ts'
import { addressOf, encryptAddress, webhookSecretContext } from './channel-secrets.ts'
import { toChannel } from './channel-view.ts'
import { deleteRow, getShown, insertRow, listShown, lockRow, updateRow } from './channels.repo.ts'
import type { ChannelRow } from './channels.repo.ts'
import { forgetSent, hurry } from '../outbox/outbox.repo.ts'
import { chooseOwner, requireOwnGroups } from '../ownership.ts'

const entityOf = (id: string, name: string, ownerId: string) =>
  ({ entityType: 'settings', entityId: id, entityName: name, ownerId }) as const

/** Channels of one owner, the main one first. @throws AppError not_found for another user */
export async function listChannels(ctx: Ctx, input: OfOwner = {}): Promise<{ channels: AlertChannel[] }> {
  return { channels: (await listShown(ctx.db.orm, await chooseOwner(ctx, input.ownerId))).map(toChannel) }
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64url')}`

/**
 * Adds an alert channel. A webhook's secret is returned only this once.
 * @throws AppError not_found for another owner's group, too_many_channels, validation_failed
 */
export async function createChannel(ctx: Ctx, input: NewChannel): Promise<{ channel: AlertChannel; secret: string | null }> {
  if (input.url !== undefined) rejectMetadataAddress(input.url, 'url')
  const id = randomUUID()
  const secret = channelKinds[input.kind].hasSecret ? newSecret() : null
  const ownerId = await chooseOwner(ctx, input.ownerId)
  return ctx.db.orm.transaction(async (tx) => {
    await requireOwnGroups(tx, ownerId, input.groupIds)
    await requireRoom(tx, 'alertChannels', ownerId)
    await insertRow(tx, {
      id,
      ownerId,
      kind: input.kind,
      name: input.name,
      enabled: input.enabled,
      chatId: hasField(input.kind, 'chatId') ? (input.chatId ?? null) : null,
      topicId: hasField(input.kind, 'topicId') ? input.topicId : null,
      ...(hasField(input.kind, 'url') && input.url !== undefined && encryptAddress(ctx.secrets, id, input.url)),
      secretSealed: secret === null ? null : ctx.secrets.encrypt(secret, webhookSecretContext(id)),
      groupIds: input.groupIds,
      criticalOnly: input.criticalOnly,
      createdAt: new Date(ctx.clock.now()),
    })
    await audit(tx, ctx, { action: 'create', ...entityOf(id, input.name, ownerId), details: { alertChannel: input.kind } })
    await ctx.events.publish(tx, ownerId, 'monitoring')
    return { channel: toChannel(await getShown(tx, id)), secret }
  })
}

async function ownChannel(ctx: Ctx, tx: Transaction, id: string): Promise<ChannelRow> {
  const row = await lockRow(tx, id)
  await requireLevel(ctx, row, 'own')
  return row
}

/**
 * Fields of another kind are refused; a new address retries refused messages, and messages at the old one are not edited any more.
 * @throws AppError not_found, validation_failed
 */
export async function updateChannel(
  ctx: Ctx,
  { id, newSecret: another = false, ...input }: ChannelChanges,
): Promise<{ channel: AlertChannel; secret: string | null }> {
  if (input.url !== undefined) rejectMetadataAddress(input.url, 'url')
  return ctx.db.orm.transaction(async (tx) => {
    const row = await ownChannel(ctx, tx, id)
    const unknown = addressFields.filter((field) => !hasField(row.kind, field) && input[field] !== undefined)
    if (unknown.length > 0)
      throw new AppError('validation_failed', { issues: unknown.map((path) => ({ path, message: 'unrecognized_keys' })) })
    await requireOwnGroups(tx, row.ownerId, input.groupIds ?? null)
    const { url, ...others } = input
    const changes = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined)) as Partial<ChannelRow>
    const changedKeys = (Object.keys(changes) as (keyof ChannelRow)[]).filter(
      (key) => JSON.stringify(changes[key]) !== JSON.stringify(row[key]),
    )
    const moves = url !== undefined && url !== addressOf(ctx.secrets, row)
    const secret = another && channelKinds[row.kind].hasSecret ? newSecret() : null
    if (changedKeys.length > 0 || moves || secret !== null) {
      const retries = moves || changedKeys.some((key) => key === 'enabled' || addressFields.some((field) => field === key))
      await updateRow(tx, id, {
        ...changes,
        ...(moves && encryptAddress(ctx.secrets, id, url)),
        ...(secret !== null && { secretSealed: ctx.secrets.encrypt(secret, webhookSecretContext(id)) }),
        ...(retries && { failure: null, pausedUntil: null }),
      })
      if (changedKeys.some((key) => key === 'chatId' || key === 'topicId')) await forgetSent(tx, row)
      if (retries) await hurry(tx, id, new Date(ctx.clock.now()))
      await audit(tx, ctx, {
        action: 'update',
        ...entityOf(id, row.name, row.ownerId),
        details: Object.fromEntries<unknown>([
          ['alertChannel', row.kind],
          ...changedKeys.map((key) => [key, { from: row[key], to: changes[key] }] as const),
          ...(moves ? [['url', 'changed'] as const] : []),
          ...(secret === null ? [] : [['secret', 'changed'] as const]),
        ]),
      })
      await ctx.events.publish(tx, row.ownerId, 'monitoring')
    }
    return { channel: toChannel(await getShown(tx, id)), secret }
  })
}

/** Deletes a channel with its waiting messages. @throws AppError not_found */
export async function removeChannel(ctx: Ctx, { id }: { readonly id: string }): Promise<void> {
  await ctx.db.orm.transaction(async (tx) => {
    const row = await ownChannel(ctx, tx, id)
    await deleteRow(tx, id)
    await audit(tx, ctx, { action: 'delete', ...entityOf(id, row.name, row.ownerId), details: { alertChannel: row.kind } })
    await ctx.events.publish(tx, row.ownerId, 'monitoring')
  })
}
