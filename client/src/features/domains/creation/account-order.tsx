import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { type ComponentProps, type PointerEvent, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { AccountSpread } from '#shared/features/operations/schema.ts'
import { dragHandleClass, dragListClass, useDragOrder } from '#client/ui/table/use-drag-order.ts'
import { AccountOption, AccountCapacity, useAccountCapacities } from './account-capacity.tsx'
import classes from './add-domain.module.css'

function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const rest = all.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to)]
}

/** The selected accounts in the order in which they get new domains, with their capacity; reordered by mouse or keyboard. */
export function AccountOrder({
  accounts,
  value,
  error,
  spread,
  onSpread,
  onChange,
}: {
  /** All accounts. */
  accounts: readonly Account[]
  value: readonly string[]
  error: string | undefined
  spread: AccountSpread
  onSpread: (spread: AccountSpread) => void
  onChange: (ids: string[]) => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const labelId = useId()
  const { listRef, onHandleDown } = useDragOrder(value.join(' '), (from, to) => onChange(moved(value, from, to)))
  const capacities = useAccountCapacities()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const left = accounts.filter(({ id }) => !value.includes(id))

  /** The focus follows the clicked button, or moves to the other one at the end of the list. */
  const move = (from: number, to: number): void => {
    onChange(moved(value, from, to))
    const direction = to < from ? 'up' : 'down'
    requestAnimationFrame(() => {
      const row = listRef.current?.children[to]
      const button =
        row?.querySelector<HTMLButtonElement>(`[data-move=${direction}]:not(:disabled)`) ?? row?.querySelector('button:not(:disabled)')
      if (button instanceof HTMLElement) button.focus()
    })
  }

  return (
    <div className="column gap-6 shrink" role="group" aria-labelledby={labelId}>
      <div className={`row between ${classes['accountsHead']}`}>
        <span id={labelId} className="size-13 medium secondary">
          {t('add.accounts')}
        </span>
        {left.length > 1 ? (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([...value, ...left.map(({ id }) => id)])}>
            {t('add.all_accounts')}
          </Button>
        ) : null}
      </div>
      {value.length === 0 ? null : (
        <ol ref={listRef} className={`framed scroll-y ${classes['order']} ${dragListClass}`}>
          {value.map((id, index) => (
            <OrderedAccount
              key={id}
              account={byId.get(id)}
              capacity={capacities.get(id)}
              index={index}
              count={value.length}
              onMove={(to) => move(index, to)}
              onRemove={() => onChange(value.filter((each) => each !== id))}
              onHandleDown={(event) => onHandleDown(event, index)}
            />
          ))}
        </ol>
      )}
      {left.length === 0 ? null : (
        <Select
          aria-label={t('add.add_account')}
          placeholder={t(value.length === 0 ? 'add.choose_account' : 'add.add_account')}
          value={null}
          onChange={(id) => {
            if (id !== null) onChange([...value, id])
          }}
          data={left.map(({ id, email }) => ({ value: id, label: email }))}
          renderOption={({ option }) => <AccountOption account={byId.get(option.value)} capacity={capacities.get(option.value)} />}
          limit={200}
          error={error}
          nothingFoundMessage={t('common:filters.none')}
          searchable
        />
      )}
      {value.length < 2 ? null : (
        <SegmentedControl
          size="xs"
          aria-label={t('add.spread')}
          value={spread}
          onChange={onSpread}
          data={(['in_order', 'evenly'] as const).map((each) => ({ value: each, label: t(`add.spread_by.${each}`) }))}
        />
      )}
      <p className="size-12 muted">{t(value.length > 1 && spread === 'evenly' ? 'add.spread_help' : 'add.accounts_help')}</p>
    </div>
  )
}

function OrderedAccount({
  account,
  capacity,
  index,
  count,
  onHandleDown,
  onMove,
  onRemove,
}: ComponentProps<typeof AccountCapacity> & {
  index: number
  /** The total of the selected accounts. */
  count: number
  onHandleDown: (event: PointerEvent) => void
  onMove: (to: number) => void
  onRemove: () => void
}) {
  const { t } = useTranslation('domains')
  const email = account?.email ?? ''
  return (
    <li>
      {count > 1 ? (
        <span className={`fixed muted ${classes['grip']} ${dragHandleClass}`} title={t('add.drag')} data-grip onPointerDown={onHandleDown}>
          <IconGripVertical size={15} stroke={1.7} aria-hidden />
        </span>
      ) : null}
      <span className={`fixed size-12 muted numeric ${classes['rank']}`}>{index + 1}</span>
      <span className={`column grow shrink ${classes['account']}`}>
        <bdi title={email}>{email}</bdi>
        <AccountCapacity account={account} capacity={capacity} />
      </span>
      {count > 1 ? (
        <>
          <ActionIcon size={26} data-move="up" disabled={index === 0} aria-label={t('add.up', { email })} onClick={() => onMove(index - 1)}>
            <IconChevronUp size={15} />
          </ActionIcon>
          <ActionIcon
            size={26}
            data-move="down"
            disabled={index === count - 1}
            aria-label={t('add.down', { email })}
            onClick={() => onMove(index + 1)}
          >
            <IconChevronDown size={15} />
          </ActionIcon>
        </>
      ) : null}
      <ActionIcon size={26} aria-label={t('add.remove', { email })} onClick={onRemove}>
        <IconX size={14} />
      </ActionIcon>
    </li>
  )
}
