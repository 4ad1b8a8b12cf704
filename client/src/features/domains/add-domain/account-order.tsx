import { ActionIcon, Button, Select } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconGripVertical, IconX } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { codeWords } from '#client/lib/errors.ts'
import { formatNumber } from '#client/lib/format.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import classes from './add-domain.module.css'

export interface OrderedAccount {
  id: string
  email: string
}
type Standing = Outputs['zoneCreation']['standings']['accounts'][number]

function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const rest = all.filter((_, index) => index !== from)
  return [...rest.slice(0, to), ...all.slice(from, from + 1), ...rest.slice(to)]
}

/** The chosen accounts in the order in which they get new domains, with how many each still takes; by mouse or keyboard. */
export function AccountOrder({
  accounts,
  value,
  error,
  onChange,
}: {
  /** All there are. */
  accounts: readonly OrderedAccount[]
  value: readonly string[]
  error: string | undefined
  onChange: (ids: string[]) => void
}) {
  const { t } = useTranslation(['domains', 'common'])
  const labelId = useId()
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<number | null>(null)
  const standings = trpc.zoneCreation.standings.useQuery().data?.accounts ?? []
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const left = accounts.filter(({ id }) => !value.includes(id))

  /** The button that was pressed goes along, or the other one where it cannot go on. */
  const move = (from: number, to: number): void => {
    onChange(moved(value, from, to))
    const direction = to < from ? 'up' : 'down'
    requestAnimationFrame(() => {
      const row = list.current?.children[to]
      const button =
        row?.querySelector<HTMLButtonElement>(`[data-move=${direction}]:not(:disabled)`) ?? row?.querySelector('button:not(:disabled)')
      if (button instanceof HTMLElement) button.focus()
    })
  }

  return (
    <div className={classes['accounts']} role="group" aria-labelledby={labelId}>
      <div className={classes['accountsHead']}>
        <span id={labelId} className={classes['label']}>
          {t('add.accounts')}
        </span>
        {left.length > 1 ? (
          <Button variant="subtle" size="compact-xs" onClick={() => onChange([...value, ...left.map(({ id }) => id)])}>
            {t('add.all_accounts')}
          </Button>
        ) : null}
      </div>
      {value.length === 0 ? null : (
        <ol ref={list} className={classes['order']}>
          {value.map((id, index) => {
            const email = byId.get(id)?.email ?? ''
            return (
              <li
                key={id}
                data-dragged={dragged === index || undefined}
                draggable={value.length > 1}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  setDragged(index)
                }}
                onDragOver={(event) => {
                  if (dragged === null) return
                  event.preventDefault()
                  if (dragged === index) return
                  onChange(moved(value, dragged, index))
                  setDragged(index)
                }}
                onDragEnd={() => setDragged(null)}
                onDrop={(event) => event.preventDefault()}
              >
                {value.length > 1 ? <IconGripVertical size={15} stroke={1.7} className={classes['grip']} aria-hidden /> : null}
                <span className={classes['rank']}>{index + 1}</span>
                <span className={classes['account']}>
                  <bdi title={email}>{email}</bdi>
                  <StandingWords standing={standings.find((each) => each.id === id)} />
                </span>
                {value.length > 1 ? (
                  <>
                    <ActionIcon
                      size={26}
                      data-move="up"
                      disabled={index === 0}
                      aria-label={t('add.up', { email })}
                      onClick={() => move(index, index - 1)}
                    >
                      <IconChevronUp size={15} />
                    </ActionIcon>
                    <ActionIcon
                      size={26}
                      data-move="down"
                      disabled={index === value.length - 1}
                      aria-label={t('add.down', { email })}
                      onClick={() => move(index, index + 1)}
                    >
                      <IconChevronDown size={15} />
                    </ActionIcon>
                  </>
                ) : null}
                <ActionIcon size={26} aria-label={t('add.remove', { email })} onClick={() => onChange(value.filter((each) => each !== id))}>
                  <IconX size={14} />
                </ActionIcon>
              </li>
            )
          })}
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
          limit={200}
          error={error}
          nothingFoundMessage={t('common:filters.none')}
          searchable
        />
      )}
      <p className={classes['hint']}>{t('add.accounts_help')}</p>
    </div>
  )
}

function StandingWords({ standing }: { standing: Standing | undefined }) {
  const { t } = useTranslation('domains')
  if (standing === undefined) return <span className={classes['standing']}>…</span>
  const { active, pending, places, now, refusal } = standing
  const counts = t('add.standing.counts', { active: formatNumber(active), pending: formatNumber(pending) })
  if (refusal !== null) {
    return (
      <span className={classes['standing']} data-tone="warn" title={codeWords(refusal)}>
        {t('add.standing.refused', { why: codeWords(refusal) })}
      </span>
    )
  }
  const room =
    places === 0
      ? t('add.standing.full')
      : now === 0
        ? t('add.standing.window')
        : t('add.standing.now', { count: now, formatted: formatNumber(now) })
  return (
    <span className={classes['standing']} data-tone={now === 0 ? 'warn' : undefined}>
      {`${room} · ${counts}`}
    </span>
  )
}
