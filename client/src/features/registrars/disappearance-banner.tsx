import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { allows } from '#shared/features/sharing/rules.ts'
import { counted, formatNumber, formatTime } from '#client/lib/format.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotice, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** The delay before the second sync of the list. */
const secondListMs = 600_000

/** Registrars whose names suddenly disappeared: nothing is removed until a second sync or a person confirms it. */
export function DisappearanceBanner({ registrars }: { registrars: readonly Registrar[] }) {
  return registrars.flatMap((registrar) =>
    registrar.disappearance === null || registrar.disappearance.keptAt !== null
      ? []
      : [<OfRegistrar key={registrar.id} registrar={registrar} disappearance={registrar.disappearance} />],
  )
}

function OfRegistrar({
  registrar: { id, name, shared },
  disappearance: { missing, known, sampled, stillThere, foundAt },
}: {
  registrar: Registrar
  disappearance: NonNullable<Registrar['disappearance']>
}) {
  const { t } = useTranslation(['registrars', 'common'])
  const decide = trpc.registrars.decideDisappearance.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () => refresh('registrars'),
  })
  return (
    <DisappearanceNotice
      title={t('missing.title', { ...counted(missing), known: formatNumber(known), registrar: name })}
      text={t(stillThere > 0 ? 'missing.disproved' : 'missing.text', {
        sampled: formatNumber(sampled),
        there: formatNumber(stillThere),
        time: formatTime(new Date(Date.parse(foundAt) + secondListMs).toISOString()),
      })}
      goneText={t('missing.gone_text')}
      missing={missing}
      list={<Missing id={id} />}
      mayDecide={allows(shared, 'operate')}
      onDecide={(decision) => decide.mutateAsync({ id, decision })}
    />
  )
}

function Missing({ id }: { id: string }) {
  return <MissingNames found={trpc.registrars.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })} />
}
