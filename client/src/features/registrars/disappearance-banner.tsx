import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotice, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** The second list is read so long after the first. */
const secondListMs = 600_000

/** Registrars whose lists suddenly lack names: nothing is removed until a second list or a person says so. */
export function DisappearanceBanner({ registrars }: { registrars: readonly Registrar[] }) {
  return registrars.flatMap((registrar) =>
    registrar.disappearance === null || registrar.disappearance.keptAt !== null
      ? []
      : [<OfRegistrar key={registrar.id} registrar={registrar} />],
  )
}

function OfRegistrar({ registrar }: { registrar: Registrar }) {
  const { t } = useTranslation('registrars')
  const decide = trpc.registrars.decideDisappearance.useMutation({
    meta: { failure: t('missing.failed') },
    onSettled: () => refresh('registrars'),
  })
  if (registrar.disappearance === null) return null
  const { missing, known, sampled, stillThere, foundAt } = registrar.disappearance
  const amount = counted(missing)
  return (
    <DisappearanceNotice
      title={t('missing.title', { ...amount, known: formatNumber(known), registrar: registrar.name })}
      text={t(stillThere > 0 ? 'missing.disproved' : 'missing.text', {
        sampled: formatNumber(sampled),
        there: formatNumber(stillThere),
        time: formatTime(new Date(Date.parse(foundAt) + secondListMs).toISOString()),
      })}
      missing={missing}
      words={{
        which: t('missing.which'),
        keep: t('missing.keep'),
        gone: t('missing.gone'),
        goneTitle: t('missing.gone_title', amount),
        goneText: t('missing.gone_text'),
      }}
      list={<Missing id={registrar.id} />}
      mayDecide={allows(registrar.shared, 'operate')}
      busy={decide.isPending}
      onKeep={() =>
        void decide
          .mutateAsync({ id: registrar.id, decision: 'keep' })
          .then(() => toast.success(t('missing.kept', amount)))
          .catch(() => undefined)
      }
      onGone={async () => {
        await decide.mutateAsync({ id: registrar.id, decision: 'gone' })
      }}
    />
  )
}

function Missing({ id }: { id: string }) {
  const { t } = useTranslation('registrars')
  const list = trpc.registrars.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })
  const more = list.data === undefined ? 0 : list.data.missing - list.data.names.length
  return (
    <MissingNames
      names={list.data?.names}
      more={more > 0 ? t('missing.more', counted(more)) : ''}
      error={list.error}
      onRetry={() => void list.refetch()}
    />
  )
}
