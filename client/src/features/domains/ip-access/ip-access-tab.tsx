import { useTranslation } from 'react-i18next'
import { useLock } from '#client/features/sharing/index.ts'
import { trpc } from '#client/lib/trpc.ts'
import { IpAccessSection } from './ip-access-section.tsx'

/** IP access on the page of a domain. An instance always belongs to the same domain. */
export function IpAccessTab({ domainId }: { domainId: string }) {
  const { t } = useTranslation('rulesets')
  const zone = trpc.domains.full.useQuery({ id: domainId }).data?.zone
  const lock = useLock()
  return (
    <div className="mb-16">
      <IpAccessSection scope={{ kind: 'domain', id: domainId }} locked={zone?.gone === true ? t('gone') : lock('operate')} />
    </div>
  )
}
