import { useTranslation } from 'react-i18next'
import { SharedMark } from '#client/features/sharing/index.ts'
import { companyOf } from '#shared/features/registrars/rules.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { counted, formatMoney } from '#client/lib/format.ts'
import { PersonName } from '#client/ui/display/person-name.tsx'
import { RelativeTime } from '#client/ui/display/relative-time.tsx'
import { RegistrarMark, RegistrarState } from './registrar-state.tsx'
import { RegistrarMenu, type RegistrarAction } from './registrar-menu.tsx'
import classes from './registrars.module.css'

export const registrarCardHeight = 128

/** A registrar with its state, balance and number of names. */
export function RegistrarCard({
  registrar,
  owner,
  onAction,
}: {
  registrar: Registrar
  /** Shown if the list contains registrars of other users. */
  owner: string | null
  onAction: (action: RegistrarAction) => void
}) {
  const { t } = useTranslation(['registrars', 'common'])
  const companyName = companyOf(registrar)
  const { name, provider, company, sandbox, type, balance, namesCount, domainsCount, email, sync } = registrar
  return (
    <article className="column gap-10 shrink fill">
      <header className="flex gap-10 top shrink">
        <RegistrarMark provider={provider} name={company ?? name} />
        <span className={`column grow shrink ${classes['cardWords']}`}>
          <button
            type="button"
            className={`cut bare line-20 semibold text-start pointer inherit size-14 ${classes['cardName']}`}
            title={name}
            onClick={() => onAction('details')}
          >
            <bdi>{name}</bdi>
          </button>
          <span className={classes['muted']}>
            {[companyName === name ? (email ?? t(`type.${type}`)) : companyName, sandbox ? t('sandbox') : null].filter(Boolean).join(' · ')}
            {owner === null ? null : (
              <>
                {' · '}
                <PersonName label={owner} />
              </>
            )}
          </span>
        </span>
        <SharedMark shared={registrar.shared} sharedWith={registrar.sharedWith} brief />
        <span className={classes['cardMenu']}>
          <RegistrarMenu registrar={registrar} onAction={onAction} />
        </span>
      </header>
      <div className="row gap-12 between">
        <RegistrarState registrar={registrar} />
        {balance === null ? null : (
          <span className="semibold numeric size-14" title={t('column.balance')}>
            {formatMoney(balance)}
          </span>
        )}
      </div>
      <footer className={`row gap-12 between ${classes['cardFoot']}`}>
        <span>{t('common:domains', counted(type === 'MANUAL' ? domainsCount : namesCount))}</span>
        <span className={classes['muted']}>
          {type === 'MANUAL' ? null : sync.syncedAt === null ? (
            t('state.unread')
          ) : (
            <>
              {t('common:fresh.at')} <RelativeTime at={sync.syncedAt} />
            </>
          )}
        </span>
      </footer>
    </article>
  )
}
