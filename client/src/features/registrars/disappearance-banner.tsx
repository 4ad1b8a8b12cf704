import { useTranslation } from 'react-i18next'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { refresh } from '#client/lib/query-client.ts'
import { trpc } from '#client/lib/trpc.ts'
import { DisappearanceNotices, MissingNames } from '#client/ui/feedback/disappearance-notice.tsx'

/** Registrars whose names suddenly disappeared. */
export function DisappearanceBanner({ registrars }: { registrars: readonly Registrar[] }) {
  const { t } = useTranslation(['registrars', 'common'])
  const decide = trpc.registrars.decideDisappearance.useMutation({
    meta: { failure: t('common:missing.failed') },
    onSettled: () => refresh('registrars'),
  })
  return (
    <DisappearanceNotices
      subjects={registrars}
      textOf={(key, params) => t(`missing.${key}`, { ...params })}
      List={Missing}
      onDecide={decide.mutateAsync}
    />
  )
}

function Missing({ id }: { id: string }) {
  return <MissingNames found={trpc.registrars.missing.useQuery({ id }, { gcTime: 0, staleTime: 0 })} />
}
