import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp } from '#server/testing/app.ts'
import type { TestApp } from '#server/testing/app.ts'
import { canary, canaryPassword, canaryPerson, columns, createCells, fingerprintOf } from '#server/testing/access-cells.ts'
import type { Cell, Column, CellResources } from '#server/testing/access-cells.ts'
import { createLog } from '#server/platform/log.ts'
import { listRestRoutes } from '#server/transports/rest/rest-routes.ts'
import { listProcedures } from '#server/transports/trpc/list-procedures.ts'
import type { ProcedureInfo } from '#server/transports/trpc/list-procedures.ts'
import type { DnsHost } from '#server/ports/dns-host.ts'
import type { AdTrackers } from '#server/ports/ad-tracker.ts'
import type { Registrars } from '#server/ports/registrar.ts'
import type { WebhookSender } from '#server/ports/webhook-sender.ts'
import { AppError } from '#shared/errors/app-error.ts'
import { isAtLeast } from '#shared/features/sharing/rules.ts'
import type { Level } from '#shared/features/sharing/rules.ts'

type Input = (theirs: CellResources) => object

/**
 * Who may call a procedure on another user's objects. `level` is the lowest sufficient share level (`own`: visible through a share but
 * not permitted); `private`: not shareable, so the objects look absent to others; `personal`: not even for administrators.
 */
interface Row {
  readonly who: 'public' | 'user' | 'admin'
  readonly level: Level | 'private' | 'personal'
  /** An input that names the owner's objects; absent if the input names none. */
  readonly of?: Input
  /** Others get "not found"; with `each`, per object. Absent: the call succeeds, for their own resources. */
  readonly one?: 'whole' | 'each'
  /** Only for a person in the browser, never for a token. */
  readonly session?: true
  /** With this input the mutation only reads, so a read token may call it. */
  readonly asks?: true
  /** The response contains a secret of the owner. */
  readonly reveals?: true
  /** The owner published the object, so domain names may be in the response. */
  readonly published?: true
}

const anybody: Row = { who: 'public', level: 'private' }
/** For administrators only. */
const administrators = (of?: Input): Row => ({ who: 'admin', level: 'private', ...(of && { of }) })
/** Concerns many objects or none: every caller gets a response about what they may see. */
const ownerOf = (of?: Input, level: Row['level'] = 'private'): Row => ({ who: 'user', level, ...(of && { of }) })
/** One change by its id: another user's is not found. */
const ownerOfOne = (of: Input, level: Row['level'] = 'private'): Row => ({ who: 'user', level, of, one: 'whole' })
const inBrowser = (row: Row): Row => ({ ...row, session: true })
const asking = (row: Row): Row => ({ ...row, asks: true })

const filter = ({ accountId, userId }: CellResources) => ({ filter: { accountIds: [accountId], ownerId: userId } })
const ownerId = ({ userId }: CellResources) => ({ ownerId: userId })
const user = ({ userId }: CellResources) => ({ id: userId })
const account = ({ accountId }: CellResources) => ({ id: accountId })
const someAccounts = ({ accountId }: CellResources) => ({ ids: [accountId] })
const zone = ({ domainId }: CellResources) => ({ id: domainId })
const someZones = ({ domainId }: CellResources) => ({ ids: [domainId] })
const group = ({ groupId }: CellResources) => ({ id: groupId })
const profile = ({ profileId }: CellResources) => ({ id: profileId })
const profileOfZone = ({ domainId, profileId }: CellResources) => ({ id: domainId, profileId })
const profileOfGroup = ({ groupId, profileId }: CellResources) => ({ id: groupId, profileId })
const tracker = ({ trackerId }: CellResources) => ({ id: trackerId })
const reserved = ({ domainId }: CellResources) => ({ zoneIds: [domainId] })
const registrar = ({ registrarId }: CellResources) => ({ id: registrarId })
const contact = ({ contactId }: CellResources) => ({ id: contactId })
const order = ({ registrarId, accountId, contactId }: CellResources) => ({
  names: [{ name: 'new.com', registrarId, price: { minor: 1_098, currency: 'USD' }, years: 1 }],
  accountIds: [accountId],
  contactId,
})
const operation = ({ operationId }: CellResources) => ({ id: operationId })
const channel = ({ channelId }: CellResources) => ({ id: channelId })
const incident = ({ incidentId }: CellResources) => ({ id: incidentId })
const incidents = ({ incidentId }: CellResources) => ({ ids: [incidentId] })
const maintenance = { name: 'taken over', startsAt: '2030-01-01T00:00:00.000Z', endsAt: '2030-01-02T00:00:00.000Z' }
const share = ({ shareId }: CellResources) => ({ id: shareId })
const creation = ({ accountId }: CellResources) => ({ domains: ['new.com'], accountIds: [accountId], ipAddress: '192.0.2.9' })
const A = { type: 'A', name: 'www', content: '192.0.2.9' }
const certificate = ({ domainId, originCertificateId }: CellResources) => ({ id: domainId, certificateId: originCertificateId })
const newRule = { phase: 'http_request_firewall_custom', rule: { expression: '(ssl)', action: 'block' } }
const ipRules = { values: ['192.0.2.1'], mode: 'block' }
const oneRule = { phase: 'http_request_firewall_custom', ruleId: 'unknown' }

/** A procedure missing here fails the test. */
const rows: Readonly<Record<string, Row>> = {
  'abuseReports.appeal': ownerOfOne(({ abuseReportId }) => ({ id: abuseReportId, mitigationIds: ['none'], reason: 'removed' }), 'operate'),
  'abuseReports.get': ownerOfOne(({ abuseReportId }) => ({ id: abuseReportId }), 'view'),
  'abuseReports.list': ownerOfOne(({ accountId }) => ({ accountId }), 'view'),
  'abuseReports.update': ownerOfOne(({ abuseReportId }) => ({ id: abuseReportId, state: 'done' }), 'operate'),
  'accounts.add': ownerOf(),
  'accounts.addMany': ownerOf(),
  'accounts.check': ownerOfOne(someAccounts, 'operate'),
  'accounts.checkProgress': ownerOf(),
  'accounts.decideDisappearance': ownerOfOne((theirs) => ({ ...account(theirs), decision: 'keep' }), 'operate'),
  'accounts.decideMissingRecords': ownerOfOne((theirs) => ({ ...account(theirs), decision: 'keep' }), 'operate'),
  'accounts.deletionPreview': ownerOfOne(someAccounts, 'own'),
  'accounts.get': ownerOfOne(account, 'view'),
  'accounts.list': ownerOf(ownerId, 'view'),
  'accounts.missing': ownerOfOne(account, 'view'),
  'accounts.missingRecords': ownerOfOne(account, 'view'),
  'accounts.remove': ownerOfOne(account, 'own'),
  'accounts.removeMany': ownerOfOne(someAccounts, 'own'),
  'accounts.requestSync': ownerOfOne(someAccounts, 'operate'),
  'accounts.reveal': { ...inBrowser(ownerOfOne(account, 'own')), reveals: true },
  'accounts.sync': ownerOfOne(account, 'operate'),
  'accounts.update': ownerOfOne((theirs) => ({ ...account(theirs), name: 'taken over' }), 'manage'),
  'activity.export': ownerOf(ownerId),
  'activity.get': ownerOfOne(({ activityId }) => ({ id: activityId })),
  'activity.list': ownerOf(ownerId),
  'activity.people': ownerOf(),
  'activity.stats': ownerOf(ownerId),
  'addresses.domains': ownerOf(({ userId }) => ({ address: '192.0.2.77', ownerId: userId }), 'view'),
  'addresses.list': ownerOf(ownerId, 'view'),
  'alerts.acknowledge': ownerOfOne(incident, 'operate'),
  'alerts.acknowledgeMany': ownerOfOne(incidents, 'operate'),
  'alerts.createChannel': inBrowser(ownerOfOne((theirs) => ({ ...ownerId(theirs), kind: 'telegram', name: 'ours', chatId: '-1001' }))),
  'alerts.createWindow': ownerOfOne((theirs) => ({ ...maintenance, ...ownerId(theirs) })),
  'alerts.listChannels': ownerOfOne(ownerId),
  'alerts.listMessages': ownerOfOne(({ userId, channelId }) => ({ ownerId: userId, channelId })),
  'alerts.listWindows': ownerOfOne(ownerId),
  'alerts.mute': ownerOfOne(incident, 'operate'),
  'alerts.muteMany': ownerOfOne(incidents, 'operate'),
  'alerts.removeChannel': ownerOfOne(channel),
  'alerts.removeWindow': ownerOfOne(({ windowId }) => ({ id: windowId })),
  'alerts.testChannel': ownerOfOne(channel),
  'alerts.updateChannel': inBrowser(ownerOfOne((theirs) => ({ ...channel(theirs), name: 'taken over' }))),
  'alerts.updateWindow': ownerOfOne(({ windowId }) => ({ ...maintenance, id: windowId })),
  'apiTokens.create': inBrowser(ownerOf(() => ({ name: 'tool', scope: 'write' }))),
  'apiTokens.list': inBrowser(ownerOf(({ userId }) => ({ userId }))),
  'apiTokens.revoke': inBrowser(ownerOfOne(({ tokenId }) => ({ id: tokenId }))),
  'auth.askConfirmation': inBrowser(ownerOf()),
  'auth.askForPasskey': anybody,
  'auth.config': anybody,
  'auth.confirm': inBrowser(ownerOf()),
  'auth.login': anybody,
  'auth.logout': inBrowser(ownerOf()),
  'auth.me': ownerOf(),
  'auth.register': anybody,
  'auth.secondFactor': anybody,
  'auth.signInByPasskey': anybody,
  'buying.check': asking(ownerOfOne(({ registrarId }) => ({ registrarId, names: ['new.com'] }), 'own')),
  'buying.contacts.create': ownerOf(),
  'buying.contacts.list': ownerOf(ownerId),
  'buying.contacts.remove': ownerOfOne(contact),
  'buying.contacts.update': ownerOfOne((theirs) => ({ ...contact(theirs), name: 'taken over' })),
  'buying.purchases': ownerOf(),
  'domains.byId': ownerOf(someZones, 'view'),
  'domains.filterOptions': ownerOf(ownerId, 'view'),
  'domains.full': ownerOfOne(zone, 'view'),
  'domains.get': ownerOfOne(zone, 'view'),
  'domains.list': ownerOf(filter, 'view'),
  'domains.live': ownerOf(({ accountId, userId }) => ({ accountIds: accountId, ownerId: userId }), 'view'),
  'domains.lookup': ownerOf(({ zoneName }) => ({ names: [zoneName] }), 'view'),
  'domains.matchingIds': ownerOf(filter, 'view'),
  'domains.range': ownerOf((theirs) => ({ ...filter(theirs), from: 0, to: 100 }), 'view'),
  'domains.rows': ownerOf(filter, 'view'),
  'domains.search': ownerOf(({ zoneName }) => ({ text: zoneName }), 'view'),
  'domains.settings': ownerOfOne(zone, 'view'),
  'domains.summary': ownerOf(filter, 'view'),
  'groups.addZones': ownerOfOne(({ domainId, groupId }) => ({ id: groupId, zoneIds: [domainId] }), 'manage'),
  'groups.create': ownerOf(),
  'groups.get': ownerOfOne(group, 'view'),
  'groups.list': ownerOf(ownerId, 'view'),
  'groups.remove': ownerOfOne(group, 'own'),
  'groups.removeZones': ownerOfOne(({ domainId, groupId }) => ({ id: groupId, zoneIds: [domainId] }), 'manage'),
  'groups.update': ownerOfOne((theirs) => ({ ...group(theirs), name: 'taken over' }), 'manage'),
  'history.list': ownerOfOne(zone, 'view'),
  'history.listOfAccount': ownerOfOne(account, 'view'),
  'history.previewRevert': asking(ownerOfOne((theirs) => ({ ...zone(theirs), ids: [theirs.domainId] }), 'operate')),
  'history.previewRevertOfAccount': asking(ownerOfOne((theirs) => ({ ...account(theirs), ids: [theirs.domainId] }), 'operate')),
  'history.revert': ownerOfOne((theirs) => ({ ...zone(theirs), ids: [theirs.domainId], token: 't' }), 'operate'),
  'history.revertOfAccount': ownerOfOne((theirs) => ({ ...account(theirs), ids: [theirs.domainId], token: 't' }), 'operate'),
  'ipAccess.add': ownerOfOne((theirs) => ({ ...zone(theirs), ...ipRules }), 'operate'),
  'ipAccess.addToAccount': ownerOfOne((theirs) => ({ ...account(theirs), ...ipRules }), 'operate'),
  'ipAccess.delete': ownerOfOne((theirs) => ({ ...zone(theirs), ruleId: 'unknown' }), 'operate'),
  'ipAccess.deleteOfAccount': ownerOfOne((theirs) => ({ ...account(theirs), ruleId: 'unknown' }), 'operate'),
  'ipAccess.list': ownerOfOne(zone, 'view'),
  'ipAccess.listOfAccount': ownerOfOne(account, 'view'),
  'ipAccess.refresh': ownerOfOne(zone, 'operate'),
  'ipAccess.update': ownerOfOne((theirs) => ({ ...zone(theirs), ruleId: 'unknown', note: 'bots' }), 'operate'),
  'ipAccess.updateOfAccount': ownerOfOne((theirs) => ({ ...account(theirs), ruleId: 'unknown', note: 'bots' }), 'operate'),
  'live.events': ownerOf(),
  'me.changePassword': inBrowser(ownerOf()),
  'me.endOtherSessions': inBrowser(ownerOf()),
  'me.endSession': inBrowser(ownerOfOne(({ sessionId }) => ({ id: sessionId }), 'personal')),
  'me.export': ownerOf(),
  'me.get': inBrowser(ownerOf()),
  'me.layouts': inBrowser(ownerOf()),
  'me.saveLayout': inBrowser(ownerOf()),
  'me.sessions': inBrowser(ownerOf()),
  'me.update': inBrowser(ownerOf()),
  'monitoring.certificates': ownerOf(ownerId, 'view'),
  'monitoring.checkNow': ownerOfOne(someZones, 'operate'),
  'monitoring.expiries': ownerOf(ownerId, 'view'),
  'monitoring.history': ownerOfOne(zone, 'view'),
  'monitoring.incident': ownerOfOne(incident, 'view'),
  'monitoring.incidents': ownerOf(ownerId, 'view'),
  'monitoring.mute': ownerOfOne((theirs) => ({ ...someZones(theirs), minutes: 60 }), 'operate'),
  'monitoring.ofDomain': ownerOfOne(zone, 'view'),
  'monitoring.overrides': ownerOfOne(ownerId),
  'monitoring.overview': ownerOf(ownerId, 'view'),
  'monitoring.pause': ownerOfOne((theirs) => ({ ...someZones(theirs), minutes: 60 }), 'operate'),
  'monitoring.publicStatus': { ...anybody, of: ({ groupId }) => ({ slug: groupId }), published: true },
  'monitoring.removeStatusPage': ownerOfOne(({ groupId }) => ({ groupId }), 'own'),
  'monitoring.saveStatusPage': inBrowser(ownerOfOne(({ groupId }) => ({ groupId, slug: `taken-${groupId}`, title: 'Taken over' }), 'own')),
  'monitoring.setOverride': ownerOfOne(({ groupId }) => ({ groupId, override: { enabled: false } }), 'manage'),
  'monitoring.settings': ownerOfOne(ownerId),
  'monitoring.statusPages': ownerOfOne(ownerId),
  'monitoring.updateSettings': ownerOfOne((theirs) => ({ ...ownerId(theirs), checkInterval: 30 })),
  'notifications.list': ownerOf(undefined, 'view'),
  'notifications.read': ownerOf(),
  'operations.bulkBindTracker': asking(ownerOfOne(({ domainId, trackerId }) => ({ ids: [domainId], trackerId, preview: true }), 'operate')),
  'operations.bulkCreate': asking(ownerOfOne((theirs) => ({ ...creation(theirs), preview: true }), 'manage')),
  'operations.bulkDelete': ownerOfOne(({ domainId }) => ({ ids: [domainId] }), 'manage'),
  'operations.bulkDns': ownerOfOne(({ domainId }) => ({ ids: [domainId], delete: { type: 'A' } }), 'operate'),
  'operations.bulkIp': ownerOfOne(({ domainId }) => ({ ids: [domainId], ipAddress: '192.0.2.9' }), 'operate'),
  'operations.bulkSettings': ownerOfOne(({ domainId }) => ({ ids: [domainId], settings: { ssl: 'off' } }), 'operate'),
  'operations.bulkUnbindTracker': asking(ownerOfOne(({ domainId }) => ({ ids: [domainId], preview: true }), 'operate')),
  'operations.cancel': ownerOfOne(operation),
  'operations.discard': ownerOfOne(operation),
  'operations.exclude': ownerOfOne((theirs) => ({ ...operation(theirs), dangers: [] })),
  'operations.itemNames': ownerOfOne(operation),
  'operations.items': ownerOfOne(operation),
  'operations.list': ownerOf(ownerId),
  'operations.pause': ownerOfOne(operation),
  'operations.preview': asking(
    ownerOfOne(
      ({ domainId }) => ({
        request: { kind: 'settings', input: { settings: { ssl: 'off' } } },
        target: { ids: [domainId] },
      }),
      'operate',
    ),
  ),
  // Its domain is at no registrar: permissions on registrars are tested in renew-name.test.ts.
  'operations.previewAutoRenew': asking(ownerOfOne(({ domainId }) => ({ target: { ids: [domainId] }, enabled: false }), 'view')),
  'operations.previewChange': asking(
    ownerOfOne((theirs) => ({ ...zone(theirs), change: { kind: 'settings', input: { settings: { ssl: 'off' } } } }), 'operate'),
  ),
  'operations.previewCreate': asking(ownerOfOne(creation, 'manage')),
  'operations.previewDomainRedirects': asking(
    ownerOfOne(({ domainId }) => ({ target: { ids: [domainId] }, url: 'https://target.example/' }), 'operate'),
  ),
  'operations.previewPurchase': asking(ownerOfOne(order, 'own')),
  'operations.previewRedirects': asking(ownerOfOne((theirs) => ({ ...account(theirs), remove: ['a.example/'] }), 'operate')),
  'operations.previewRenewal': asking(ownerOfOne(({ domainId }) => ({ target: { ids: [domainId] } }), 'view')),
  'operations.previewTrackerArchive': asking(ownerOfOne(({ trackerDomainId }) => ({ trackerDomainIds: [trackerDomainId] }), 'manage')),
  'operations.previewUndo': asking(ownerOfOne(operation)),
  'operations.purchase': asking(ownerOfOne((theirs) => ({ ...order(theirs), preview: true }), 'own')),
  'operations.refreshAll': ownerOf(),
  'operations.reschedule': ownerOfOne((theirs) => ({ ...operation(theirs), scheduledAt: null })),
  'operations.resume': ownerOfOne(operation),
  'operations.retryFailed': ownerOfOne(operation),
  'operations.start': ownerOfOne(operation),
  'originCertificates.expiring': ownerOf(ownerId, 'view'),
  'originCertificates.forgetKey': ownerOfOne(certificate, 'operate'),
  'originCertificates.get': ownerOfOne(certificate, 'view'),
  'originCertificates.issue': ownerOfOne((theirs) => ({ ...zone(theirs), keyType: 'ecc' }), 'operate'),
  'originCertificates.list': ownerOfOne(zone, 'view'),
  'originCertificates.reveal': { ...inBrowser(ownerOfOne(certificate, 'own')), reveals: true },
  'originCertificates.revoke': ownerOfOne(certificate, 'operate'),
  'originCertificates.sign': ownerOfOne((theirs) => ({ ...zone(theirs), csr: 'none' }), 'operate'),
  'profiles.adopt': ownerOfOne((theirs) => ({ ...zone(theirs), fingerprint: 'x' }), 'manage'),
  'profiles.create': ownerOf(),
  'profiles.differing': ownerOfOne(profile),
  'profiles.domainIds': ownerOfOne(profile),
  'profiles.domainValues': ownerOfOne(profileOfZone),
  'profiles.domains': ownerOfOne(profile),
  'profiles.duplicate': ownerOfOne(profile),
  'profiles.forget': ownerOfOne(zone, 'operate'),
  'profiles.get': ownerOfOne(profile),
  'profiles.groupValues': ownerOfOne(profileOfGroup),
  'profiles.list': ownerOf(),
  'profiles.ofDomain': ownerOfOne(zone, 'view'),
  'profiles.previewAdoption': ownerOfOne(zone, 'manage'),
  'profiles.remove': ownerOfOne(profile),
  'profiles.setDefault': ownerOfOne((theirs) => ({ ...profile(theirs), isDefault: true })),
  'profiles.setDomainValues': ownerOfOne((theirs) => ({ ...profileOfZone(theirs), values: {} })),
  'profiles.setGroupValues': ownerOfOne((theirs) => ({ ...profileOfGroup(theirs), values: {} })),
  'profiles.update': ownerOfOne((theirs) => ({ ...profile(theirs), name: 'taken over' })),
  'providerChanges.actors': ownerOf(),
  'providerChanges.allow': ownerOfOne(({ accountId }) => ({ accountId, actor: 'taken over' }), 'manage'),
  'providerChanges.countAllowed': ownerOfOne(({ accountId }) => ({ accountId, actor: 'a' }), 'manage'),
  'providerChanges.disallow': ownerOfOne(({ allowedChangeId }) => ({ id: allowedChangeId }), 'manage'),
  'providerChanges.entries': ownerOfOne(({ providerChangeId }) => ({ id: providerChangeId }), 'view'),
  'providerChanges.list': ownerOfOne(({ accountId }) => ({ accountId }), 'view'),
  'providerChanges.listAllowed': ownerOf(undefined, 'manage'),
  'providerChanges.review': ownerOfOne(({ accountId }) => ({ accountId, readUntil: '2030-01-01T00:00:00.000Z' }), 'operate'),
  'providerChanges.unreviewed': ownerOf(undefined, 'view'),
  'records.change': ownerOfOne((theirs) => ({ ...zone(theirs), deletes: [theirs.recordId] }), 'operate'),
  'records.changeIp': ownerOfOne((theirs) => ({ ...zone(theirs), ipAddress: '192.0.2.9' }), 'operate'),
  'records.create': ownerOfOne((theirs) => ({ ...zone(theirs), ...A }), 'operate'),
  'records.decideMissing': ownerOfOne((theirs) => ({ ...zone(theirs), decision: 'keep' }), 'operate'),
  'records.exportFile': ownerOfOne(zone, 'view'),
  'records.exportFiles': ownerOf(({ domainId }) => ({ zoneIds: [domainId] }), 'view'),
  'records.importFile': ownerOfOne((theirs) => ({ ...zone(theirs), text: 'www A 192.0.2.9', token: 't' }), 'operate'),
  'records.list': ownerOfOne(zone, 'view'),
  'records.previewImport': asking(ownerOfOne((theirs) => ({ ...zone(theirs), text: 'www A 192.0.2.9' }), 'operate')),
  'records.refresh': ownerOfOne(zone, 'operate'),
  'records.refreshIp': ownerOfOne(zone, 'operate'),
  'records.remove': ownerOfOne((theirs) => ({ ...zone(theirs), recordId: theirs.recordId }), 'operate'),
  'records.update': ownerOfOne((theirs) => ({ ...zone(theirs), recordId: theirs.recordId, content: '192.0.2.9' }), 'operate'),
  'records.usage': ownerOfOne(zone, 'view'),
  'redirects.export': ownerOfOne(account, 'view'),
  'redirects.list': ownerOfOne(account, 'view'),
  'redirects.refresh': ownerOfOne(account, 'operate'),
  'redirects.test': ownerOfOne((theirs) => ({ ...account(theirs), url: 'a.example' }), 'view'),
  'registrars.calendarFeed': ownerOf(),
  'registrars.create': ownerOf(),
  'registrars.createCalendarFeed': inBrowser(ownerOf()),
  'registrars.decideDisappearance': ownerOfOne((theirs) => ({ ...registrar(theirs), decision: 'keep' }), 'operate'),
  'registrars.delegationNames': ownerOf(({ registrarId }) => ({ registrar: registrarId })),
  'registrars.delegations': ownerOf(({ registrarId }) => ({ registrar: registrarId })),
  'registrars.examine': ownerOfOne(registrar, 'operate'),
  'registrars.expiries': ownerOf(ownerId, 'view'),
  'registrars.get': ownerOfOne(registrar, 'view'),
  'registrars.list': ownerOf(ownerId, 'view'),
  'registrars.missing': ownerOfOne(registrar, 'view'),
  'registrars.names': ownerOfOne(({ registrarId }) => ({ registrarId }), 'view'),
  'registrars.ofDomain': ownerOfOne(zone, 'own'),
  'registrars.remove': ownerOfOne(registrar, 'own'),
  'registrars.removeCalendarFeed': ownerOf(),
  'registrars.removeMany': ownerOfOne(({ registrarId }) => ({ ids: [registrarId] }), 'own'),
  'registrars.renewals': ownerOf(ownerId, 'view'),
  'registrars.reveal': { ...inBrowser(ownerOfOne(registrar, 'own')), reveals: true },
  'registrars.serversNow': ownerOf(({ registrarId }) => ({ ids: [registrarId] }), 'view'),
  'registrars.setDs': ownerOfOne(({ domainId }) => ({ id: domainId, published: true }), 'operate'),
  'registrars.setOfDomain': ownerOfOne(({ domainId, registrarId }) => ({ id: domainId, registrarId }), 'operate'),
  'registrars.sync': ownerOfOne(registrar, 'operate'),
  'registrars.update': ownerOfOne((theirs) => ({ ...registrar(theirs), name: 'taken over' }), 'manage'),
  'registry.ask': ownerOfOne(zone, 'own'),
  'registry.ofDomain': ownerOfOne(zone, 'own'),
  'rulesets.checkRule': ownerOfOne((theirs) => ({ ...zone(theirs), ...newRule }), 'operate'),
  'rulesets.createRule': ownerOfOne((theirs) => ({ ...zone(theirs), ...newRule }), 'operate'),
  'rulesets.deleteRule': ownerOfOne((theirs) => ({ ...zone(theirs), ...oneRule }), 'operate'),
  'rulesets.list': ownerOfOne(zone, 'view'),
  'rulesets.moveRule': ownerOfOne((theirs) => ({ ...zone(theirs), ...oneRule, position: 1 }), 'operate'),
  'rulesets.refresh': ownerOfOne(zone, 'operate'),
  'rulesets.updateRule': ownerOfOne((theirs) => ({ ...zone(theirs), ...oneRule, rule: { enabled: false } }), 'operate'),
  'settings.get': administrators(),
  'settings.system': ownerOf(),
  'settings.update': administrators(() => ({ defaultLanguage: 'en' })),
  'sharing.create': inBrowser(ownerOfOne(({ groupId, friendName }) => ({ groupId, user: friendName, level: 'operate' }), 'own')),
  'sharing.list': ownerOfOne(({ groupId }) => ({ groupId }), 'view'),
  'sharing.remove': inBrowser(ownerOfOne(share, 'own')),
  'sharing.update': inBrowser(ownerOfOne((theirs) => ({ ...share(theirs), level: 'manage' }), 'own')),
  'trackers.addReserve': ownerOfOne(reserved, 'own'),
  'trackers.bind': ownerOfOne((theirs) => ({ ...zone(theirs), trackerId: theirs.trackerId }), 'operate'),
  'trackers.check': ownerOfOne(zone, 'operate'),
  'trackers.choices': ownerOfOne(tracker, 'operate'),
  'trackers.create': ownerOf(),
  'trackers.get': ownerOfOne(tracker, 'view'),
  'trackers.list': ownerOf(ownerId, 'view'),
  'trackers.ofDomain': ownerOfOne(zone, 'view'),
  'trackers.reconcile': ownerOf(({ userId }) => ({ ownerId: userId, state: 'not_bound' }), 'view'),
  'trackers.reconcileIds': ownerOf(ownerId, 'view'),
  'trackers.remove': ownerOfOne(tracker, 'own'),
  'trackers.removeReserve': ownerOfOne(reserved, 'own'),
  'trackers.reserve': ownerOf(ownerId),
  'trackers.reveal': { ...inBrowser(ownerOfOne(tracker, 'own')), reveals: true },
  'trackers.settings': ownerOfOne(ownerId),
  'trackers.sync': ownerOfOne(tracker, 'operate'),
  'trackers.test': ownerOfOne((theirs) => ({ ...tracker(theirs), kind: 'KEITARO' }), 'own'),
  'trackers.unbind': ownerOfOne(zone, 'operate'),
  'trackers.update': ownerOfOne((theirs) => ({ ...tracker(theirs), name: 'taken over' }), 'manage'),
  'trackers.updateSettings': ownerOfOne((theirs) => ({ ...ownerId(theirs), keitaroUrl: 'https://taken.example', keitaroApiKey: 'taken' })),
  'traffic.totals': ownerOf(ownerId, 'view'),
  'twoFactor.addPasskey': inBrowser(ownerOf()),
  'twoFactor.confirmTotp': inBrowser(ownerOf()),
  'twoFactor.get': inBrowser(ownerOf()),
  'twoFactor.removePasskey': inBrowser(ownerOfOne(({ passkeyId }) => ({ id: passkeyId }), 'personal')),
  'twoFactor.removeTotp': inBrowser(ownerOf()),
  'twoFactor.renewRecoveryCodes': inBrowser(ownerOf()),
  'twoFactor.reset': administrators(({ userId }) => ({ userId })),
  'twoFactor.startPasskey': inBrowser(ownerOf()),
  'twoFactor.startTotp': inBrowser(ownerOf()),
  'users.checkResetLink': anybody,
  'users.create': administrators(() => ({
    username: `u${Math.random()}`,
    email: `u${Math.random()}@people.example`,
    password: 'correct horse',
    role: 'user',
  })),
  'users.createResetLink': administrators(user),
  'users.deletionPreview': administrators(({ userId }) => ({ ids: [userId] })),
  'users.disable': administrators(user),
  'users.disablingPreview': administrators(user),
  'users.enable': administrators(user),
  'users.get': administrators(user),
  'users.list': administrators(),
  'users.remove': administrators(user),
  'users.removeMany': administrators(({ userId }) => ({ ids: [userId] })),
  'users.resetByLink': anybody,
  'users.signOut': administrators(user),
  'users.update': administrators((theirs) => ({ ...user(theirs), name: 'taken over' })),
  'zoneCreation.create': ownerOfOne(({ accountId }) => ({ domainName: 'new.com', accountId, ipAddress: '192.0.2.9' }), 'manage'),
  'zoneCreation.standings': ownerOf(undefined, 'manage'),
  'zoneSettings.batch': { ...ownerOf(({ domainId }) => ({ zoneIds: [domainId] }), 'view'), one: 'each' },
  'zoneSettings.checkNameServers': ownerOf(({ domainId }) => ({ ids: [domainId] }), 'view'),
  'zoneSettings.ds': ownerOfOne(zone, 'view'),
  'zoneSettings.nameServers': ownerOfOne(zone, 'view'),
  'zoneSettings.pause': ownerOfOne((theirs) => ({ ...zone(theirs), paused: true }), 'operate'),
  'zoneSettings.purgeCache': ownerOfOne((theirs) => ({ ...zone(theirs), purgeEverything: true }), 'operate'),
  'zoneSettings.refresh': ownerOfOne(zone, 'operate'),
  'zoneSettings.remove': ownerOfOne(zone, 'manage'),
  'zoneSettings.setDevelopmentMode': ownerOfOne((theirs) => ({ ...zone(theirs), enabled: true }), 'operate'),
  'zoneSettings.setGroup': ownerOfOne((theirs) => ({ ...zone(theirs), groupId: null }), 'manage'),
  'zoneSettings.setUniversal': ownerOfOne((theirs) => ({ ...zone(theirs), enabled: false }), 'operate'),
  'zoneSettings.ssl': ownerOfOne(zone, 'view'),
  'zoneSettings.traffic': ownerOfOne(zone, 'view'),
  'zoneSettings.update': ownerOfOne((theirs) => ({ ...zone(theirs), ssl: 'off' }), 'operate'),
}

/** A call that gets as far as the provider has passed the checks tested here. */
const dnsHost: DnsHost = {
  connect: () => {
    throw new AppError('provider_unavailable')
  },
  readBudgets: () => Promise.reject(new AppError('provider_unavailable')),
  close: () => Promise.resolve(),
}

const logged: string[] = []
const registrars: Registrars = {
  connect: () => {
    throw new AppError('provider_unavailable')
  },
  close: () => Promise.resolve(),
}
const trackers: AdTrackers = {
  connect: () => {
    throw new AppError('tracker_unavailable')
  },
  findAddresses: () => Promise.resolve([]),
  close: () => Promise.resolve(),
}
const webhooks: WebhookSender = {
  send: () => Promise.resolve({ state: 'unreached', message: 'nobody is there' }),
  close: () => Promise.resolve(),
}
let t: TestApp
beforeAll(async () => {
  t = await createTestApp({ dnsHost, registrars, trackers, webhooks, log: createLog('trace', { write: (line) => void logged.push(line) }) })
})
afterAll(() => t.close())

/** Refusals; any other result means that the call was permitted. */
const refusals = ['unauthorized', 'forbidden', 'not_found', 'level_too_low', 'read_only_token', 'session_only'] as const
type Verdict = (typeof refusals)[number] | 'let through'

function verdictOf({ who, level, one, session, asks }: Row, type: ProcedureInfo['type'], column: Column): Verdict {
  if (who === 'public') return 'let through'
  if (column === 'anonymous') return 'unauthorized'
  const changes = type === 'mutation'
  if (who === 'admin') return column === 'admin' ? 'let through' : column === 'adminToken' ? 'session_only' : 'forbidden'
  if (session && column.endsWith('Token')) return 'session_only'
  if (column === 'readToken' && changes && asks !== true) return 'read_only_token'
  if (one !== 'whole') return 'let through'
  if (column === 'other' || (column === 'admin' && level === 'personal')) return 'not_found'
  if (!isShared(column)) return 'let through'
  return level === 'private' || level === 'personal' ? 'not_found' : isAtLeast(shared[column], level) ? 'let through' : 'level_too_low'
}

const shared = { viewer: 'view', operator: 'operate', manager: 'manage' } as const
const isShared = (column: Column): column is keyof typeof shared => column in shared

/** Whether the response may report the owner's objects. */
const maySee = ({ who, level }: Row, column: Column) =>
  column !== 'anonymous' &&
  column !== 'other' &&
  (who === 'admin' ? column.startsWith('admin') : !isShared(column) || (level !== 'private' && level !== 'personal'))

interface Answer {
  readonly status: number
  readonly body: string
}

function verdictOn({ status, body }: Answer, row: Row): string {
  const code = /"code":"([a-z_]+)"/.exec(body)?.[1]
  if (status < 400) return 'let through'
  if (code === undefined) return `answered ${status} without a code`
  const known: readonly string[] = refusals
  // If nothing was named, the caller's own resource is missing; a rejected input proves nothing about permissions.
  const own = row.of === undefined && row.who === 'user' && (code === 'not_found' || code === 'level_too_low')
  if (own) return 'let through'
  if (known.includes(code) || code === 'internal' || (row.of !== undefined && /validation_failed|malformed_request/.test(code))) return code
  return 'let through'
}

/** Text that must not be in a response to this caller. Their own input may be repeated. */
function shownIn({ body }: Answer, row: Row, { column, resources }: Cell, input: object): string[] {
  const hidden =
    row.reveals === true && (column === 'owner' || column === 'admin') ? [] : [canary, '$argon2', '"v1.', 'Sealed', 'passwordHash']
  const { activityId: _, recordId: _record, zoneName, ...rest } = resources
  const names = { ...rest, ...(row.published === true ? {} : { zoneName }) }
  const theirs = maySee(row, column) ? [] : Object.values(names).filter((value) => !JSON.stringify(input).includes(value))
  return [...hidden, ...theirs].filter((text) => body.includes(text))
}

/** Secrets that responses contain once for permitted callers. */
const secretsShown = /"(?:token|secret|ticket|link)":"([^"]{20,})"/g
const givenOut = new Set<string>()

/** Reused until something of the owner's changes. */
const unchanged = new Map<Column, { readonly cell: Cell; readonly fingerprint: string }>()
async function cells() {
  const missing = columns.filter((column) => !unchanged.has(column))
  for (const cell of missing.length === 0 ? [] : await createCells(t.services, missing)) {
    unchanged.set(cell.column, { cell, fingerprint: await fingerprintOf(t.services, cell.resources) })
  }
  return [...unchanged.values()]
}

/** Calls one procedure as every kind of caller. */
async function evaluate(row: Row, type: ProcedureInfo['type'], ask: (cell: Cell, input: object) => Promise<Answer>) {
  // A grantee refused at their level may see the object's name.
  await t.services.db.sql`delete from activity where action = 'denied'`
  const verdicts = (await cells()).map(async ({ cell, fingerprint }) => {
    const { column } = cell
    const input = row.of?.(cell.resources) ?? {}
    const answer = await ask(cell, input)
    const verdict = verdictOn(answer, row)
    const unreported = row.one === 'each' && column === 'other' && !answer.body.includes('"not_found"')
    const shown = shownIn(answer, row, cell, input)
    for (const [, secret = ''] of answer.body.matchAll(secretsShown)) givenOut.add(secret)
    const done = type === 'mutation' && verdict === 'let through'
    const strange = !done || column === 'other' || column === 'readToken'
    const changed = type === 'mutation' && strange && fingerprint !== (await fingerprintOf(t.services, cell.resources))
    if (done || changed) unchanged.delete(column)
    const faults = [
      ...(unreported ? ['says nothing of it'] : []),
      ...shown.map((text) => `shows ${text}`),
      ...(changed ? ['changes it'] : []),
    ]
    return [column, [verdict, ...faults].join(', ')]
  })
  return Object.fromEntries(await Promise.all(verdicts)) as Record<string, string>
}

const expected = (row: Row, type: ProcedureInfo['type']) =>
  Object.fromEntries(columns.map((column) => [column, verdictOf(row, type, column)]))
const rowOf = (path: string): Row => {
  const row = rows[path]
  if (row === undefined) throw new Error(`${path} has no row`)
  return row
}

test('R-PRM-02 every procedure of the live router has a row', () => {
  expect(
    listProcedures()
      .map((procedure) => procedure.path)
      .toSorted(),
  ).toEqual(Object.keys(rows))
})

const procedures = listProcedures().filter(({ path }) => path in rows)
const calls = procedures.filter(({ type }) => type !== 'subscription')

test.each(calls)('R-PRM-02 $path permits the listed roles; others see and change nothing', async ({ path, type }) => {
  const row = rowOf(path)
  const verdicts = await evaluate(row, type, async ({ headers }, input) => {
    const answer =
      type === 'mutation'
        ? await t.app.inject({ method: 'POST', url: `/trpc/${path}`, headers, payload: input })
        : await t.app.inject({ url: `/trpc/${path}?input=${encodeURIComponent(JSON.stringify(input))}`, headers })
    return { status: answer.statusCode, body: answer.body }
  })
  expect(verdicts).toEqual(expected(row, type))
})

test.each(listRestRoutes())('R-PRM-02 $method $url behaves like its procedure', async ({ method, url, path, type, keyed }) => {
  const row = rowOf(path)
  const verdicts = await evaluate(row, type, async ({ headers, column }, given) => {
    const input = new Map(Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]))
    const target = url.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(input.get(name) ?? crypto.randomUUID()))
    const answer =
      method === 'GET'
        ? await t.app.inject({ url: target, query: Object.fromEntries(input), headers })
        : await t.app.inject({
            method,
            url: target,
            headers: { ...headers, ...(keyed && { 'idempotency-key': `${path} ${column}` }) },
            payload: given,
          })
    return { status: answer.statusCode, body: answer.body }
  })
  expect(verdicts).toEqual(expected(row, type))
})

// A subscription reports its refusal in the first event, after the stream has started.
test.each(procedures.filter(({ type }) => type === 'subscription'))('R-PRM-02 $path requires authentication', async ({ path }) => {
  expect((await t.app.inject(`/trpc/${path}?input={}`)).body).toContain('"code":"unauthorized"')
})

test.each(['Bearer', 'Bearer x', 'Basic YTpi', 'bearer null', `Bearer ${'x'.repeat(600)}`])(
  'an Authorization header without a valid session (%s) is unauthenticated',
  async (authorization) => {
    const answer = await t.app.inject({ url: '/api/auth/me', headers: { authorization } })
    expect(answer.statusCode).toBe(401)
  },
)

describe('after all calls', () => {
  test('R-PRM-04 no log line contains a secret', () => {
    expect(logged.length).toBeGreaterThan(1_000)
    expect(
      logged.filter(
        (line) => line.includes(canary) || line.includes(canaryPerson) || line.includes(canaryPassword) || line.includes('$argon2'),
      ),
    ).toEqual([])
  })

  test('R-PRM-04 no table contains a readable secret', async () => {
    const { sql } = t.services.db
    const tables = await sql<{ name: string }[]>`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
    expect(tables.length).toBeGreaterThan(20)
    expect(givenOut.size).toBeGreaterThan(20)
    for (const { name } of tables) {
      const rows = await sql.unsafe<{ row: string }[]>(`select x::text as row from ${name} x`)
      const found = rows.filter(({ row }) => [canary, canaryPerson, ...givenOut].some((secret) => row.includes(secret)))
      expect([name, found]).toEqual([name, []])
    }
  })
})

const queries = listProcedures().filter(({ type }) => type === 'query')

test('ASVS 14.2.1 no query input contains a secret, since it would appear in URLs and logs', () => {
  const secret = /^(password\w*|currentPassword|api(Key|Secret)|token|secret|ticket|code|link)$/
  const named = (schema: unknown): string[] =>
    typeof schema !== 'object' || schema === null
      ? []
      : Object.entries(schema as Record<string, unknown>).flatMap(([key, value]) => [
          ...(key === 'properties' ? Object.keys(value as object) : []),
          ...named(value),
        ])
  const fields = queries.map(({ path, input }) => [
    path,
    input === undefined ? [] : named(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })),
  ])
  expect(fields.flatMap(([, names]) => names).length).toBeGreaterThan(50)
  expect(fields.filter(([, names]) => Array.isArray(names) && names.some((name) => secret.test(name)))).toEqual([])
})

test('ASVS 3.5.3 no GET request changes anything', () => {
  const byGet = listRestRoutes().filter(({ method }) => method === 'GET')
  expect(byGet.filter(({ path }) => !queries.some((query) => query.path === path))).toEqual([])
})
