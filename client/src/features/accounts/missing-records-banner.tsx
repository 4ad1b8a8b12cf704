import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { AccountMissingRecords } from '#shared/features/sync/disappearances/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatNumber } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { MissingNotice } from '#client/ui/feedback/missing-notice.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import classes from '#client/ui/feedback/disappearance-notice.module.css'

/** Accounts with domains whose records suddenly disappeared at Cloudflare. */
export function MissingRecordsBanner({ accounts }: { accounts: readonly Account[] }) {
  return accounts.flatMap((account) =>
    account.missingRecords === null ? [] : [<Notice key={account.id} account={account} held={account.missingRecords} />],
  )
}

const nothing: ReadonlySet<string> = new Set()

function Notice({ account: { id, name, email, shared }, held }: { account: Account; held: AccountMissingRecords }) {
  const { t } = useTranslation(['accounts', 'common'])
  const [selected, setSelected] = useState(nothing)
  const utils = trpc.useUtils()
  const { data } = trpc.accounts.missingRecords.useQuery({ id }, { enabled: selected.size > 0, gcTime: 0, staleTime: 0 })
  const some = selected.size === 0 ? null : (data?.domains ?? []).filter((domain) => selected.has(domain.id))
  const missing = some === null ? held.missing : some.reduce((sum, domain) => sum + domain.missing, 0)
  const decide = trpc.accounts.decideMissingRecords.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () => {
      setSelected(nothing)
      return Promise.all([refresh('accounts'), utils.accounts.missingRecords.invalidate({ id })])
    },
  })
  const select = (domainId: string, isOn: boolean): void => {
    const next = new Set(selected)
    if (isOn) next.add(domainId)
    else next.delete(domainId)
    setSelected(next)
  }
  return (
    <MissingNotice
      texts="missing_records"
      title={t('missing_records.title', { ...counted(held.missing), known: formatNumber(held.known), name: name ?? email })}
      text={some === null ? t('missing_records.text', counted(held.domains)) : t('missing_records.selected', counted(some.length))}
      which={t('common:missing.which')}
      consequence={t('common:missing_records.gone_text')}
      list={() => <Domains id={id} selected={selected} onSelect={select} />}
      missing={missing}
      isKept={false}
      canDecide={allows(shared, 'operate') && some?.length !== 0}
      onDecide={(decision) =>
        decide.mutateAsync({
          id,
          decision,
          ...(some !== null && { domainIds: some.map((domain) => domain.id) }),
          shown: { domains: some?.length ?? held.domains, missing },
        })
      }
    />
  )
}

function Domains({
  id,
  selected,
  onSelect,
}: {
  id: string
  selected: ReadonlySet<string>
  onSelect: (domainId: string, isOn: boolean) => void
}) {
  const { t } = useTranslation(['accounts', 'common'])
  const { data, error, refetch } = trpc.accounts.missingRecords.useQuery({ id }, { gcTime: 0, staleTime: 0 })
  if (data === undefined) return error === null ? <Skeleton width="60%" /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const more = data.total - data.domains.length
  return (
    <ul className={`scroll-y grid gap-8 size-12 ${classes['names']}`}>
      {data.domains.map((domain) => (
        <li key={domain.id}>
          <Checkbox
            size="xs"
            checked={selected.has(domain.id)}
            onChange={(event) => onSelect(domain.id, event.currentTarget.checked)}
            label={t('missing_records.domain', {
              name: domain.name,
              missing: formatNumber(domain.missing),
              known: formatNumber(domain.known),
            })}
          />
        </li>
      ))}
      {more > 0 ? <li>{t('common:and_more', counted(more))}</li> : null}
    </ul>
  )
}
