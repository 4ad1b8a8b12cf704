import { useTranslation } from 'react-i18next'
import { counted } from '#client/lib/format.ts'
import { useLiveQueries } from '#client/lib/live-queries.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc, type Inputs, type Outputs } from '#client/lib/trpc.ts'
import { offerUndo, offerUndoOfAccount } from '../history/undo-change.ts'
import { showMoreRules } from '../rulesets/show-more-rules.ts'

export type IpRules = Outputs['ipAccess']['list']
export type IpRule = IpRules['rules'][number]
export type AddedIpRules = Outputs['ipAccess']['add']
export type NewIpRules = Omit<Inputs['ipAccess']['add'], 'id'>
export type IpRuleChange = Omit<Inputs['ipAccess']['update'], 'id' | 'ruleId'>

/** Whose rules they are: those of a domain, or those of an account for all its domains. */
export interface IpAccessScope {
  readonly kind: 'domain' | 'account'
  readonly id: string
}

const silent = { meta: { failure: false } } as const

/** The rules of a domain or an account, and all changes to them. */
export function useIpRules({ kind, id }: IpAccessScope) {
  const { t } = useTranslation('ip-access')
  const utils = trpc.useUtils()
  const isDomain = kind === 'domain'
  const ofDomain = trpc.ipAccess.list.useQuery({ id }, { enabled: isDomain })
  const ofAccount = trpc.ipAccess.listOfAccount.useQuery({ id }, { enabled: !isDomain })
  const list = isDomain ? ofDomain : ofAccount
  useLiveQueries('ipAccess')

  const take = ({ readAt, rules }: IpRules): void => {
    const read = { readAt, rules }
    if (isDomain) {
      showMoreRules(id, utils.ipAccess.list.getData({ id })?.rules.length, read.rules.length)
      utils.ipAccess.list.setData({ id }, read)
    } else utils.ipAccess.listOfAccount.setData({ id }, read)
    void utils.history.invalidate()
  }
  const failing = { meta: { failure: t('failed.refresh') }, onSuccess: take }
  const refreshing = trpc.ipAccess.refresh.useMutation(failing)
  const adding = trpc.ipAccess.add.useMutation(silent)
  const addingToAccount = trpc.ipAccess.addToAccount.useMutation(silent)
  const updating = trpc.ipAccess.update.useMutation(silent)
  const updatingOfAccount = trpc.ipAccess.updateOfAccount.useMutation(silent)
  const removal = { meta: { failure: t('failed.delete') } }
  const removing = trpc.ipAccess.delete.useMutation(removal)
  const removingOfAccount = trpc.ipAccess.deleteOfAccount.useMutation(removal)

  const announce = (title: string, batchId: string): void => {
    const offered = isDomain ? offerUndo(id, { title, batchId }) : offerUndoOfAccount(id, { title, batchId })
    offered.catch(() => toast.success(title))
  }

  return {
    list,
    isRefreshing: isDomain ? refreshing.isPending : ofAccount.isRefetching,
    refresh: (): void => {
      if (isDomain) refreshing.mutate({ id })
      else void ofAccount.refetch()
    },
    /** Throws the server's error. */
    add: async (rules: NewIpRules): Promise<AddedIpRules> => {
      try {
        const answer = await (isDomain ? adding : addingToAccount).mutateAsync({ id, ...rules })
        const { added, unchanged, conflicts, batchId } = answer
        take(answer)
        if (added > 0) announce(t('added', counted(added)), batchId)
        else if (conflicts.length === 0) toast.info(t('unchanged', counted(unchanged)))
        return answer
      } catch (error) {
        // Some may have been added before it was refused.
        await utils.ipAccess.invalidate()
        throw error
      }
    },
    /** Throws the server's error. */
    update: async ({ id: ruleId, value }: IpRule, change: IpRuleChange): Promise<void> => {
      const answer = await (isDomain ? updating : updatingOfAccount).mutateAsync({ id, ruleId, ...change })
      take(answer)
      announce(t('saved', { value }), answer.batchId)
    },
    /** Throws after it has reported the failure. */
    remove: async ({ id: ruleId, value }: IpRule): Promise<void> => {
      try {
        const answer = await (isDomain ? removing : removingOfAccount).mutateAsync({ id, ruleId })
        take(answer)
        announce(t('deleted', { value }), answer.batchId)
      } catch (error) {
        await utils.ipAccess.invalidate()
        throw error
      }
    },
  }
}
