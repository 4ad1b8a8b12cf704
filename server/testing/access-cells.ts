import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import {
  abuseReports,
  accounts,
  alertChannels,
  allowedChanges,
  apiTokens,
  contacts,
  dnsRecords,
  groups,
  incidents,
  maintenanceWindows,
  operationItems,
  operations,
  originCertificates,
  passkeys,
  profiles,
  providerChanges,
  registrars,
  sessions,
  shares,
  statusPages,
  trackerDomains,
  trackers,
  users,
  zones,
} from '#server/db/schema/index.ts'
import { audit } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/context.ts'
import type { DomainId } from '#shared/ids.ts'

/** All kinds of callers for another user's objects: their relation to the owner, and their credential. */
export const columns = [
  'anonymous',
  'other',
  'viewer',
  'operator',
  'manager',
  'owner',
  'admin',
  'readToken',
  'writeToken',
  'adminToken',
] as const
export type Column = (typeof columns)[number]

/** The owner's objects, which belong to no one else. */
export interface CellResources {
  readonly userId: string
  readonly userName: string
  readonly accountId: string
  readonly accountEmail: string
  readonly groupId: string
  readonly domainId: string
  readonly zoneName: string
  readonly recordId: string
  readonly profileId: string
  readonly registrarId: string
  readonly trackerId: string
  readonly trackerDomainId: string
  readonly contactId: string
  readonly operationId: string
  readonly shareId: string
  /** A person with whom the group is already shared. */
  readonly friendName: string
  readonly tokenId: string
  readonly sessionId: string
  readonly passkeyId: string
  readonly activityId: string
  readonly channelId: string
  readonly windowId: string
  readonly allowedChangeId: string
  readonly incidentId: string
  readonly originCertificateId: string
  readonly abuseReportId: string
  readonly providerChangeId: string
}

export interface Cell {
  readonly column: Column
  readonly headers: Readonly<Record<string, string>>
  readonly resources: CellResources
}

/** Prefix of secrets, by which any response, log line or table that reveals one is detected. */
export const canary = 'canary-secret'
export const canaryPassword = `${canary}-password`
/** Prefix of personal data: shown to the owner, and in no log or table. */
export const canaryPerson = 'canary-person'
const passwordHash = hash(canaryPassword, { memoryCost: 8, timeCost: 1, parallelism: 1 })

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
const levels = { viewer: 'view', operator: 'operate', manager: 'manage' } as const
const actsAsOwner = (column: Column) => column === 'owner' || column === 'readToken' || column === 'writeToken'
const administers = (column: Column) => column === 'admin' || column === 'adminToken'

const canaryDetails = {
  firstName: canaryPerson,
  lastName: canaryPerson,
  organization: canaryPerson,
  email: `${canaryPerson}@people.example`,
  phone: '+12025550123',
  address: canaryPerson,
  city: canaryPerson,
  region: canaryPerson,
  postalCode: '125009',
  country: 'RU',
  extra: { passport: canaryPerson },
}

/** A cell per caller, with its own owner and objects, so that calls do not affect each other. */
export async function createCells({ db, secrets }: Services, wanted: readonly Column[]): Promise<Cell[]> {
  const { orm } = db
  const made = wanted.map((column) => {
    const name = randomUUID().slice(0, 13)
    const token = `${canary}-token-${randomBytes(24).toString('base64url')}`.slice(0, 43)
    const apiToken = `zd_${canary}-${randomBytes(40).toString('base64url')}`.slice(0, 46)
    const resources = {
      userId: randomUUID(),
      userName: `owner-${name}`,
      accountId: randomUUID(),
      accountEmail: `account-${name}@owned.example`,
      groupId: randomUUID(),
      domainId: randomUUID(),
      zoneName: `zone-${name}.example`,
      recordId: randomUUID().replaceAll('-', ''),
      profileId: randomUUID(),
      registrarId: randomUUID(),
      trackerId: randomUUID(),
      trackerDomainId: randomUUID(),
      contactId: randomUUID(),
      operationId: randomUUID(),
      shareId: randomUUID(),
      friendName: `friend-${name}`,
      tokenId: randomUUID(),
      sessionId: sha256(column === 'owner' ? token : randomUUID()),
      passkeyId: randomUUID(),
      channelId: randomUUID(),
      windowId: randomUUID(),
      allowedChangeId: randomUUID(),
      incidentId: randomUUID(),
      originCertificateId: randomUUID(),
      abuseReportId: randomUUID(),
      providerChangeId: randomUUID(),
    }
    const actorId = actsAsOwner(column) ? resources.userId : randomUUID()
    return { column, name, token, apiToken, resources, actorId, friendId: randomUUID() }
  })
  const person = async (id: string, username: string, role: 'admin' | 'user' = 'user') => ({
    id,
    username,
    email: `${username}@people.example`,
    name: username,
    passwordHash: await passwordHash,
    role,
  })
  await orm
    .insert(users)
    .values(
      await Promise.all(
        made.flatMap(({ column, name, resources, actorId, friendId }) => [
          person(resources.userId, resources.userName),
          person(friendId, resources.friendName),
          ...(actsAsOwner(column) ? [] : [person(actorId, `actor-${name}`, administers(column) ? 'admin' : 'user')]),
        ]),
      ),
    )
  const inAnHour = new Date(Date.now() + 3600_000)
  await orm
    .insert(sessions)
    .values(
      made.flatMap(({ column, token, resources, actorId }) => [
        { id: resources.sessionId, userId: resources.userId, expiresAt: inAnHour },
        ...(column === 'owner' ? [] : [{ id: sha256(token), userId: actorId, expiresAt: inAnHour }]),
      ]),
    )
  await orm.insert(apiTokens).values(
    made.flatMap(({ column, apiToken, resources, actorId }) => {
      const scope = column === 'readToken' ? ('read' as const) : ('write' as const)
      const row = { name: 'tool', prefix: 'zd_canary', scope }
      return [
        { ...row, id: resources.tokenId, userId: resources.userId, tokenHash: sha256(resources.tokenId) },
        { ...row, userId: actorId, tokenHash: sha256(apiToken) },
      ]
    }),
  )
  await orm.insert(passkeys).values(
    made.map(({ resources }) => ({
      id: resources.passkeyId,
      userId: resources.userId,
      name: 'key',
      credentialId: resources.passkeyId,
      publicKey: 'x',
    })),
  )
  await orm.insert(accounts).values(
    made.map(({ resources: { accountId: id, accountEmail: email, userId: ownerId } }) => ({
      id,
      ownerId,
      email,
      kind: 'global_key' as const,
      apiKeySealed: secrets.encrypt(`${canary}-key`, `account:${id}:apiKey`),
      passwordSealed: secrets.encrypt(canaryPassword, `account:${id}:password`),
      credentialHash: id,
    })),
  )
  const owned = made.map(({ resources }) => ({ ...resources, ownerId: resources.userId }))
  await orm.insert(groups).values(owned.map(({ groupId: id, ownerId }) => ({ id, ownerId, name: `group of ${ownerId}` })))
  await orm.insert(statusPages).values(owned.map(({ groupId, ownerId }) => ({ groupId, ownerId, slug: groupId, title: 'Status' })))
  const settings = { ssl: 'off' }
  await orm.insert(profiles).values(owned.map(({ profileId: id, ownerId }) => ({ id, ownerId, name: `profile of ${ownerId}`, settings })))
  await orm.insert(registrars).values(
    owned.map(({ registrarId: id, ownerId }) => ({
      id,
      ownerId,
      name: `registrar of ${ownerId}`,
      type: 'API_ENABLED' as const,
      provider: 'PORKBUN' as const,
      credentialSealed: secrets.encrypt(
        JSON.stringify({ apiKey: `${canary}-key`, apiSecret: canaryPassword }),
        `registrar:${id}:credential`,
      ),
      credentialFields: ['apiKey', 'apiSecret'],
      credentialHash: id,
    })),
  )
  await orm.insert(trackers).values(
    owned.map(({ trackerId: id, ownerId }) => {
      const apiKeySealed = secrets.encrypt(`${canary}-key`, `tracker:${id}:apiKey`)
      return {
        id,
        ownerId,
        kind: 'KEITARO' as const,
        name: `tracker of ${ownerId}`,
        url: 'http://127.0.0.1:9',
        apiKeySealed,
        isDefault: true,
      }
    }),
  )
  await orm
    .insert(trackerDomains)
    .values(owned.map(({ trackerDomainId: id, trackerId, userName }) => ({ id, trackerId, remoteId: id, name: `${userName}.example` })))
  await orm.insert(contacts).values(
    owned.map(({ contactId: id, ownerId }) => ({
      id,
      ownerId,
      name: `contact of ${ownerId}`,
      detailsSealed: secrets.encrypt(JSON.stringify(canaryDetails), `contact:${id}:details`),
    })),
  )
  await orm.insert(operations).values(
    owned.map(({ operationId: id, ownerId, userName: actorName }) => {
      const input = { settings }
      return { id, ownerId, actorId: ownerId, actorName, kind: 'settings', input, total: 1, counts: { pending: 1 } }
    }),
  )
  await orm.insert(zones).values(
    owned.map(({ domainId: id, zoneName: name, ownerId, accountId, groupId }) => ({
      id,
      ownerId,
      accountId,
      groupId,
      name,
      providerZoneId: id.replaceAll('-', ''),
      search: name,
      status: 'active' as const,
      providerStatus: 'active',
      listedAt: new Date(),
      recordsReadAt: new Date(),
      settingsReadAt: new Date(),
      originIps: ['192.0.2.77'],
    })),
  )
  await orm.insert(originCertificates).values(
    owned.map(({ originCertificateId: id, domainId, zoneName }) => ({
      id,
      domainId: domainId as DomainId,
      serial: '1',
      hostnames: [zoneName],
      type: 'rsa',
      expiresAt: inAnHour,
      keySealed: secrets.encrypt(`${canary}-key`, `originCertificate:${id}:key`),
    })),
  )
  await orm.insert(abuseReports).values(
    owned.map(({ abuseReportId: id, ownerId, accountId, zoneName }) => ({
      id,
      ownerId,
      accountId,
      reportId: 'report',
      reportedAt: new Date(),
      domain: zoneName,
      zoneName,
      kind: 'phishing' as const,
      status: 'accepted' as const,
      submitter: { name: 'Reporter', company: null, email: null, telephone: null },
      urls: [],
      acceptedUrls: 0,
      active: 0,
      pending: 0,
      inReview: 0,
      hostNotified: false,
      mitigationsDue: false,
    })),
  )
  await orm.insert(providerChanges).values(
    owned.map(({ providerChangeId: id, ownerId, accountId, zoneName }) => ({
      id,
      ownerId,
      accountId,
      changeId: 'change',
      changedAt: new Date(),
      kind: 'records' as const,
      action: 'update',
      actor: 'colleague@example.com',
      zoneName,
      isOwn: false,
    })),
  )
  await orm
    .insert(dnsRecords)
    .values(owned.map(({ recordId, domainId, zoneName: name }) => ({ recordId, domainId, type: 'A', name, content: '192.0.2.77', ttl: 1 })))
  await orm.insert(operationItems).values(
    owned.map(({ operationId, domainId, accountId, accountEmail, zoneName: name }) => {
      const plan = { before: {}, after: {}, dangers: [], calls: 1 }
      return { operationId, position: 0, domainId, accountId, accountEmail, lane: accountId, name, plan }
    }),
  )
  await orm.insert(alertChannels).values(
    owned.map(({ channelId: id, ownerId }) => {
      const secretSealed = secrets.encrypt(`${canary}-webhook`, `alertChannel:${id}:secret`)
      const address = { url: '127.0.0.1:9', urlSealed: secrets.encrypt(`http://127.0.0.1:9/${canary}-address`, `alertChannel:${id}:url`) }
      return { id, ownerId, kind: 'webhook' as const, name: `channel of ${ownerId}`, ...address, secretSealed }
    }),
  )
  await orm
    .insert(maintenanceWindows)
    .values(
      owned.map(({ windowId: id, ownerId }) => ({ id, ownerId, name: `window of ${ownerId}`, startsAt: new Date(), endsAt: inAnHour })),
    )
  await orm
    .insert(allowedChanges)
    .values(owned.map(({ allowedChangeId: id, ownerId, accountId, userName }) => ({ id, ownerId, accountId, actor: userName, reason: '' })))
  await orm.insert(incidents).values(
    owned.map(({ incidentId: id, ownerId, domainId, groupId, zoneName: name }) => {
      const shown = { health: 'critical' as const, reasons: [], cause: 'code:http_status', openedAt: new Date() }
      return { id, ownerId, domainId, groupId, name, ...shown }
    }),
  )
  await orm.insert(shares).values(
    made.flatMap(
      ({ column, resources: { shareId: id, userId: ownerId, groupId, accountId, registrarId, trackerId }, friendId, actorId }) => [
        { id, ownerId, granteeId: friendId, groupId, level: 'view' as const },
        ...(column in levels
          ? [{ groupId }, { accountId }, { registrarId }, { trackerId }].map((target) => ({
              ownerId,
              granteeId: actorId,
              level: levels[column as keyof typeof levels],
              ...target,
            }))
          : []),
      ],
    ),
  )
  const entries = await Promise.all(
    owned.map(async ({ ownerId, userName, domainId: entityId, zoneName: entityName }) => {
      const actor = { kind: 'user', userId: ownerId, name: userName } as const
      const source = { actor, address: '192.0.2.1', requestId: ownerId }
      await audit(orm, source, { action: 'update', entityType: 'zone', entityId, entityName, ownerId })
      const [row] = await db.sql<{ id: string }[]>`select id from activity where owner_id = ${ownerId}`
      return row?.id ?? ''
    }),
  )
  return made.map(({ column, token, apiToken, resources }, at) => ({
    column,
    headers: column !== 'anonymous' ? { authorization: `Bearer ${column.endsWith('Token') ? apiToken : token}` } : {},
    resources: { ...resources, activityId: entries[at] ?? '' },
  }))
}

/** Reports whether anything of the owner's has changed; the use of a session or token is no change. */
export async function fingerprintOf({ db: { sql } }: Pick<Services, 'db'>, { userId, operationId }: CellResources): Promise<string> {
  const [row] = await sql<{ all: string }[]>`
    select string_agg(md5(t::text), ' ' order by t::text) as all from (
      select to_jsonb(x) as t from users x where id = ${userId}
      union all select to_jsonb(x) from accounts x where owner_id = ${userId}
      union all select to_jsonb(x) from groups x where owner_id = ${userId}
      union all select to_jsonb(x) from profiles x where owner_id = ${userId}
      union all select to_jsonb(x) from zone_profile_values x join zones z on z.id = x.zone_id where z.owner_id = ${userId}
      union all select to_jsonb(x) from group_profile_values x join groups g on g.id = x.group_id where g.owner_id = ${userId}
      union all select to_jsonb(x) from registrars x where owner_id = ${userId}
      union all select to_jsonb(x) from trackers x where owner_id = ${userId}
      union all select to_jsonb(x) from reserve_domains x where owner_id = ${userId}
      union all select to_jsonb(x) from contacts x where owner_id = ${userId}
      union all select to_jsonb(x) from purchases x where owner_id = ${userId}
      union all select to_jsonb(x) from operations x where owner_id = ${userId} and (id = ${operationId} or state <> 'draft')
      union all select to_jsonb(x) from zones x where owner_id = ${userId}
      union all select to_jsonb(x) from monitor_settings x where owner_id = ${userId}
      union all select to_jsonb(x) from alert_channels x where owner_id = ${userId}
      union all select to_jsonb(x) from maintenance_windows x where owner_id = ${userId}
      union all select to_jsonb(x) from allowed_changes x where owner_id = ${userId}
      union all select to_jsonb(x) from incidents x where owner_id = ${userId}
      union all select to_jsonb(x) from shares x where owner_id = ${userId}
      union all select to_jsonb(x) from passkeys x where user_id = ${userId}
      union all select to_jsonb(x) - '{last_used_at,expires_at}'::text[] from sessions x where user_id = ${userId}
      union all select to_jsonb(x) - '{last_used_at,last_address}'::text[] from api_tokens x where user_id = ${userId}
    ) rows`
  return row?.all ?? ''
}
