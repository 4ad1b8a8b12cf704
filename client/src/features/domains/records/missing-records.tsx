import { useTranslation } from 'react-i18next'
import type { DomainDetails } from '#shared/features/domains/schema.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotices, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** Shown if many records of the domain suddenly disappeared at Cloudflare. */
export function MissingRecords({ zone }: { zone: DomainDetails }) {
  const { t } = useTranslation(['records', 'common'])
  const utils = trpc.useUtils()
  const accept = trpc.records.acceptMissing.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () =>
      Promise.all([
        utils.domains.full.invalidate({ id: zone.id }),
        utils.records.list.invalidate({ id: zone.id }),
        utils.history.invalidate(),
      ]),
  })
  return (
    <DisappearanceNotices
      of="records"
      subjects={[{ id: zone.id, name: zone.displayName, shared: zone.shared, disappearance: zone.recordsDisappearance }]}
      textOf={(key, params) => t(`missing.${key}`, { ...params })}
      List={Missing}
      onDecide={({ id }) => accept.mutateAsync({ id })}
    />
  )
}

function Missing({ id }: { id: string }) {
  return <MissingNames found={trpc.records.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })} />
}
