import { Button } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { auth } from '#client/lib/auth.ts'
import classes from './registration-notice.module.css'

/** Whether the user is an administrator who has to decide about registration; undefined while unknown. */
export function useRegistrationUndecided(): boolean | undefined {
  const admin = auth.use().user?.role === 'admin'
  const query = trpc.settings.get.useQuery(undefined, { enabled: admin })
  return !admin || query.isError ? false : query.data?.registrationUndecided
}

/** Until it is decided, anyone with access to the panel can register, so administrators are asked to decide with one click. */
export function RegistrationNotice() {
  const { t } = useTranslation('shell')
  const utils = trpc.useUtils()
  const undecided = useRegistrationUndecided()
  const decide = trpc.settings.update.useMutation({
    meta: { failure: t('registration.failed') },
    onSuccess: (answer) => {
      utils.settings.get.setData(undefined, answer)
      void utils.auth.config.invalidate()
      toast.success(t(`registration.${answer.settings.registration}`))
    },
  })
  if (undecided !== true) return null
  const answer = (registration: 'open' | 'closed') => ({
    loading: decide.isPending && decide.variables.registration === registration,
    disabled: decide.isPending,
    onClick: () => decide.mutate({ registration }),
  })
  return (
    <section className={`row wrap size-13 radius on-warn mb-12 p-10-12 ${classes['notice']}`} aria-label={t('registration.title')}>
      <IconUserPlus className="warn" size={20} stroke={1.7} aria-hidden />
      <div className={`shrink secondary pretty ${classes['words']}`}>
        <strong className="medium primary">{t('registration.title')}</strong>
        <p>{t('registration.text')}</p>
      </div>
      <div className="flex wrap gap-8">
        <Button size="xs" {...answer('closed')}>
          {t('registration.close')}
        </Button>
        <Button size="xs" variant="default" {...answer('open')}>
          {t('registration.keep')}
        </Button>
      </div>
    </section>
  )
}
