import { Checkbox, Select } from '@mantine/core'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { companyOf } from '#shared/features/registrars/rules.ts'
import { formatMoney } from '#client/lib/format.ts'
import { StatusDot } from '#client/ui/display/state-badge.tsx'
import { changeDraft } from './draft.ts'
import type { Sellers } from './use-sellers.ts'
import classes from './buying.module.css'

/** Selects the registrars to check, with their balances. */
export function SellerPicker({ sellers: { all, selected, owners, ownerId } }: { sellers: Sellers }) {
  const { t } = useTranslation(['buying', 'registrars'])
  const id = useId()
  const toggle = (registrarId: string): void =>
    changeDraft({
      registrarIds: all
        .map((each) => each.id)
        .filter((each) => (each === registrarId ? !selected.some((one) => one.id === each) : selected.some((one) => one.id === each))),
    })
  return (
    <div className={`column gap-8 shrink ${classes['block']}`} role="group" aria-labelledby={id}>
      <span id={id} className="size-13 medium secondary">
        {t('sellers.label')}
      </span>
      {owners.length > 1 ? (
        <Select
          aria-label={t('sellers.owner')}
          value={ownerId ?? null}
          allowDeselect={false}
          data={owners.map(({ id: value, name }) => ({ value, label: name }))}
          onChange={(next) => changeDraft({ ownerId: next, registrarIds: null, contactId: null, accountIds: null })}
        />
      ) : null}
      <ul className={`grid gap-8-16 ${classes['sellers']}`}>
        {all.map(({ id: registrarId, name, provider, company, balance, health, sandbox }) => (
          <li className="column gap-4 shrink" key={registrarId}>
            <Checkbox
              size="sm"
              checked={selected.some((each) => each.id === registrarId)}
              onChange={() => toggle(registrarId)}
              label={name}
              description={[
                companyOf({ provider, company }) === name ? null : companyOf({ provider, company }),
                sandbox ? t('registrars:sandbox') : null,
                balance === null ? null : t('sellers.balance', { balance: formatMoney(balance) }),
              ]
                .filter((part) => part !== null)
                .join(' · ')}
            />
            {health === 'auth_error' || health === 'api_error' ? (
              <span className={`row gap-6 size-12 bad ${classes['warned']}`}>
                <StatusDot tone="bad" />
                {t(`registrars:health.${health}`)}
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </div>
  )
}
