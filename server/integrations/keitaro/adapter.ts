import { AppError } from '#shared/errors/app-error.ts'
import type { ErrorCode } from '#shared/errors/codes.ts'
import { addByName } from '#server/integrations/trackers/add-by-name.ts'
import type { RecentList } from '#server/integrations/trackers/add-by-name.ts'
import { createAsk } from '#server/integrations/trackers/ask.ts'
import type { TrackerClient } from '#server/integrations/trackers/ask.ts'
import type { TrackedDomain, TrackerCall, TrackerConnection } from '#server/ports/ad-tracker.ts'
import * as wire from './wire.ts'

/** A call unsupported by this version, or at this URL. */
const missing = new Set<ErrorCode>(['tracker_not_found', 'tracker_unable', 'tracker_rejected', 'tracker_not_one'])

/** Keitaro, Admin API v1; facts and their sources are in the README of this folder. */
export function connectKeitaro(client: TrackerClient, base: string, apiKey: string): TrackerConnection {
  const ask = createAsk(client, `${base}/admin_api/v1`, { 'api-key': apiKey })
  const recent: RecentList = { latest: null }

  const orNone = <T>(rows: Promise<readonly T[]>): Promise<readonly T[] | null> =>
    rows.catch((error: unknown) => {
      if (error instanceof AppError && missing.has(error.code)) return null
      throw error
    })

  const getDomain = async (id: string, call: TrackerCall): Promise<TrackedDomain> => {
    const [row] = await ask('GET', '/domains/:id', wire.domains, call, { id })
    if (row === undefined) throw new AppError('tracker_not_found')
    return toDomain(row)
  }
  /** Responds with the domain, with a list that contains it, or with nothing. */
  const write = async (method: 'POST' | 'PUT', path: string, id: string, call: TrackerCall, body?: object): Promise<TrackedDomain> => {
    const content = await ask(method, path, wire.anything, call, { id, ...(body !== undefined && { body }) })
    const rows = wire.domains.safeParse(content)
    const row = rows.success ? rows.data.find((each) => each.id === id) : undefined
    return row === undefined ? getDomain(id, call) : toDomain(row)
  }

  const connection: TrackerConnection = {
    able: { campaign: true, group: true, sslRedirect: true, restore: true, check: true, moveCampaign: true },
    listDomains: async (call) => {
      const used = (await ask('GET', '/domains', wire.domains, call)).map(toDomain)
      const archived = (await orNone(ask('GET', '/domains/deleted', wire.domains, call))) ?? []
      const ids = new Set(used.map(({ id }) => id))
      return [...used, ...archived.filter(({ id }) => !ids.has(id)).map((row) => ({ ...toDomain(row), archived: true }))]
    },
    listCampaigns: async (call) => {
      const rows = await ask('GET', '/campaigns', wire.campaigns, call)
      return rows.flatMap(({ id, name, state, domain_id: domainId }) => (state === 'deleted' ? [] : [{ id, name, state, domainId }]))
    },
    listGroups: async (call) => {
      const rows =
        (await orNone(ask('GET', '/groups?type=domains', wire.groups, call))) ??
        (await orNone(ask('GET', '/domains/groups', wire.groups, call))) ??
        []
      return rows.filter(({ type }) => type === null || /^domains?$/.test(type)).map(({ id, name }) => ({ id, name }))
    },
    addDomain: (order, call) =>
      addByName(recent, connection, order, call, async () => {
        const content = await ask('POST', '/domains', wire.anything, call, {
          body: {
            name: order.name,
            ssl_redirect: order.sslRedirect,
            ...(order.campaignId !== null && { default_campaign_id: numeric(order.campaignId) }),
            ...(order.groupId !== null && { group_id: numeric(order.groupId) }),
          },
        })
        const rows = wire.domains.safeParse(content)
        return rows.success ? rows.data.map(toDomain) : []
      }),
    updateDomain: (id, { campaignId, groupId, sslRedirect }, call) =>
      write('PUT', '/domains/:id', id, call, {
        ...(campaignId !== undefined && { default_campaign_id: campaignId === null ? null : numeric(campaignId) }),
        ...(groupId !== undefined && { group_id: groupId === null ? null : numeric(groupId) }),
        ...(sslRedirect !== undefined && { ssl_redirect: sslRedirect }),
      }),
    archiveDomain: async (id, call) => {
      recent.latest = null
      try {
        await ask('DELETE', '/domains/:id', wire.anything, call, { id })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tracker_not_found') throw error
      }
    },
    restoreDomain: async (id, call) => {
      recent.latest = null
      try {
        return await write('POST', '/domains/:id/restore', id, call)
      } catch (error) {
        if (!(error instanceof AppError) || (error.code !== 'tracker_not_found' && error.code !== 'tracker_rejected')) throw error
        // Restoring a domain in use is not an error.
        const domain = await getDomain(id, call)
        if (domain.archived) throw error
        return domain
      }
    },
    checkDomain: (id, call) => write('POST', '/domains/:id/check', id, call),
    moveCampaign: async (campaignId, domainId, call) => {
      await ask('PUT', '/campaigns/:id', wire.anything, call, { id: campaignId, body: { domain_id: numeric(domainId) } })
    },
  }
  return connection
}

/** Keitaro's ids are numbers. */
const numeric = (id: string): number | string => (/^\d{1,15}$/.test(id) ? Number(id) : id)

function toDomain(row: wire.Domain): TrackedDomain {
  const sslFailed = /error|fail|invalid|expired/i.test(row.ssl_status ?? '')
  return {
    id: row.id,
    name: row.name,
    archived: row.state === 'deleted',
    status: row.network_status ?? row.status ?? row.state,
    problem: row.error_description,
    solution: row.error_solution,
    sslStatus: row.ssl_status,
    sslProblem: sslFailed ? (row.ssl_data ?? row.ssl_status) : null,
    campaign: row.default_campaign_id === null ? null : { id: row.default_campaign_id, name: row.default_campaign },
    campaignsCount: row.campaigns_count,
    group: row.group_id === null ? null : { id: row.group_id, name: row.group },
    sslRedirect: row.ssl_redirect,
  }
}
