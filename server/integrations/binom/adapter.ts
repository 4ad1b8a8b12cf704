import { AppError } from '#shared/errors/app-error.ts'
import { addByName } from '#server/integrations/trackers/add-by-name.ts'
import type { RecentList } from '#server/integrations/trackers/add-by-name.ts'
import { createAsk } from '#server/integrations/trackers/ask.ts'
import type { TrackerClient } from '#server/integrations/trackers/ask.ts'
import type { TrackedDomain, TrackerCall, TrackerConnection } from '#server/ports/ad-tracker.ts'
import { createDomain } from './create-domain.ts'
import * as wire from './wire.ts'

/** Binom, API v2; facts and their sources are in the README of this folder. */
export function connectBinom(client: TrackerClient, base: string, apiKey: string): TrackerConnection {
  const ask = createAsk(client, `${base}/public/api/v1`, { 'api-key': apiKey })
  const recent: RecentList = { latest: null }
  /** This version has no call for a single domain, so domains are looked up in the list. */
  let isListOnly = false

  const listRows = async (call: TrackerCall): Promise<readonly wire.Domain[]> => {
    try {
      return await ask('GET', '/domains', wire.domains, call)
    } catch (error) {
      if (!(error instanceof AppError) || error.provider?.code !== '404') throw error
      return ask('GET', '/domain/list/filtered', wire.domains, call).catch(() => {
        throw error
      })
    }
  }
  const getRow = async (id: string, call: TrackerCall): Promise<wire.Domain> => {
    if (!isListOnly) {
      const content = await ask('GET', '/domain/:id', wire.anything, call, { id }).catch((error: unknown) => {
        if (error instanceof AppError && (error.code === 'tracker_not_found' || error.code === 'tracker_unable')) return null
        throw error
      })
      const rows = wire.domains.safeParse(content)
      const row = rows.success ? rows.data.find((each) => each.id === id) : undefined
      if (row !== undefined) return row
    }
    const found = (await listRows(call)).find((domain) => domain.id === id)
    if (found === undefined) throw new AppError('tracker_not_found')
    isListOnly = true
    return found
  }
  const listDomains = async (call: TrackerCall): Promise<readonly TrackedDomain[]> => (await listRows(call)).map(toDomain)

  const connection: TrackerConnection = {
    able: { campaign: true, group: false, sslRedirect: false, restore: false, check: true, moveCampaign: false },
    listDomains,
    listCampaigns: async (call) => {
      const rows = await ask('GET', '/campaign/short/info', wire.campaigns, call)
      return rows.map(({ id, name, domainUuid }) => ({ id, name, state: null, domainId: domainUuid }))
    },
    listGroups: () => Promise.resolve([]),
    addDomain: (order, call) =>
      addByName(recent, connection, order, call, async () => {
        const content = await createDomain(order.name, base, ask, call)
        const rows = wire.domains.safeParse(content)
        return rows.success ? rows.data.map(toDomain) : []
      }),
    updateDomain: async (id, { campaignId }, call) => {
      if (campaignId === undefined) throw new AppError('tracker_unable')
      await ask('PUT', '/domain/index_page/:id', wire.anything, call, {
        id,
        body: { campaignId: campaignId === null ? null : /^\d{1,15}$/.test(campaignId) ? Number(campaignId) : campaignId },
      })
      const row = await getRow(id, call)
      // The call is not confirmed by documentation, so its effect is verified if the tracker reports it.
      if (row.indexPage !== undefined && row.indexPage !== campaignId) {
        throw new AppError('tracker_unable', { provider: { message: `PUT /domain/index_page: ${base}/api/doc` } })
      }
      return toDomain(row)
    },
    archiveDomain: async (id, call) => {
      recent.latest = null
      try {
        await ask('DELETE', '/domain/:id', wire.anything, call, { id })
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'tracker_not_found') throw error
      }
    },
    restoreDomain: () => Promise.reject(new AppError('tracker_unable')),
    checkDomain: async (id, call) => {
      await ask('GET', '/domain/:id/check', wire.anything, call, { id })
      return toDomain(await getRow(id, call))
    },
    moveCampaign: () => Promise.reject(new AppError('tracker_unable')),
  }
  return connection
}

function toDomain(row: wire.Domain): TrackedDomain {
  return {
    id: row.id,
    name: row.name,
    archived: false,
    status: row.isBanned === true ? 'banned' : null,
    problem: row.checkError ?? (row.isBanned === true ? 'Banned' : null),
    solution: null,
    sslStatus: row.isSsl === null ? null : row.isSsl ? (row.expiresAt ?? 'on') : 'off',
    sslProblem: row.certificateError,
    campaign: row.indexPage === null || row.indexPage === undefined ? null : { id: row.indexPage, name: row.campaignName },
    campaignsCount: row.campaignsCount,
    group: null,
    sslRedirect: null,
  }
}
