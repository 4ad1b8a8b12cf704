import { Button } from '@mantine/core'
import { IconAlertTriangle, IconArrowBackUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { formatDateTime } from '#client/lib/format.ts'
import { CopyButton } from '#client/ui/display/copy-button.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { StateBadge } from '#client/ui/display/state-badge.tsx'
import { ChangeLine } from './change-line.tsx'
import { changesOf, placeOf } from './item-changes.ts'
import { kindView } from './kinds.ts'
import { itemTones, shownItemState } from './operation-progress.ts'
import { PurchaseSteps } from './purchase-steps.tsx'
import { useChangeWords } from './use-change-words.ts'
import type { Item } from './queries.ts'
import { useOperationWords } from './use-operation-words.ts'
import classes from './operations.module.css'

const wordsOfWhom = (code: string | null) =>
  code?.startsWith('registrar_') === true
    ? 'page.registrar_response'
    : code?.startsWith('tracker_') === true
      ? 'page.tracker_response'
      : 'page.cloudflare_response'

/** The complete result of an operation for one domain. */
export function ItemDialog({
  item,
  kind,
  undoLabel,
  onUndo,
  onClose,
}: {
  item: Item
  kind: string
  undoLabel: string
  onUndo?: () => void
  onClose: () => void
}) {
  const { t } = useTranslation(['operations', 'common'])
  const words = useOperationWords()
  const wordsOf = useChangeWords(kind)
  const { steps } = kindView(kind)
  const changes = changesOf(item.plan)
    .map((change) => wordsOf(change, item))
    .filter(({ label, to }) => label !== '' || to !== null)
  const { ours, theirs, again } = words.result(item)
  const advice = item.code === null || item.state !== 'failed' ? null : words.advice(item.code)
  const rows = [
    ...(item.account === null ? [] : [{ label: t(`page.${placeOf(kind)}`), value: item.account }]),
    // If it moved on to another account, the reason is listed below.
    ...(item.plan.reason === undefined || item.plan.moved !== undefined
      ? []
      : [{ label: t('page.why_account'), value: t(`reasons.${item.plan.reason}`) }]),
    ...(item.finishedAt === null ? [] : [{ label: t('page.time'), value: formatDateTime(item.finishedAt) }]),
    ...(ours === null ? [] : [{ label: t('page.result'), value: ours }]),
    ...(theirs === null ? [] : [{ label: t(wordsOfWhom(item.code)), value: theirs }]),
    ...(advice === null ? [] : [{ label: t('page.what_to_do'), value: advice }]),
    ...(again === null ? [] : [{ label: t('page.next_try'), value: again }]),
  ]
  return (
    <Dialog
      onClose={onClose}
      size={560}
      title={
        <span className="row wrap anywhere gap-4-12">
          <bdi className="mono">{item.displayName}</bdi>
          <StateBadge tone={itemTones[shownItemState(item)]} label={t(`items.${shownItemState(item)}`)} />
        </span>
      }
    >
      <div className={`column gap-14 ${classes['form']}`}>
        <dl className={`column gap-8 size-13 ${classes['facts']}`}>
          {rows.map(({ label, value }) => (
            <div className="grid gap-12" key={label}>
              <dt className="secondary">{label}</dt>
              <dd className="anywhere">{value}</dd>
            </div>
          ))}
          {item.nameServers === null || item.nameServers.length === 0 ? null : (
            <div className="grid gap-12">
              <dt className="secondary">{t('views.servers')}</dt>
              <dd className="anywhere mono">
                {item.nameServers.join(', ')}
                <CopyButton text={item.nameServers.join('\n')} label={t('servers.copy')} />
              </dd>
            </div>
          )}
        </dl>
        {steps === 'only' ? <PurchaseSteps steps={item.steps} full /> : null}
        {steps === 'also' && item.steps !== undefined ? <PurchaseSteps steps={item.steps} full replaces /> : null}
        {(item.plan.moved ?? []).map((move) => (
          <p key={move.at} className={`size-12 muted ${classes['quiet']}`}>
            {t('log.moved', { account: move.account, why: words.code(move.code) })}
          </p>
        ))}
        {changes.length === 0 ? null : (
          <div className={`column gap-4 scroll-y size-13 border radius-8 p-10-12 on-ground ${classes['itemChanges']}`}>
            {changes.map((change, index) => (
              <ChangeLine key={index} words={change} />
            ))}
          </div>
        )}
        {item.plan.dangers.map((danger) => (
          <span key={danger} className="inline gap-6 size-12 warn">
            <IconAlertTriangle size={13} stroke={1.8} aria-hidden />
            {words.danger(danger).title}
          </span>
        ))}
        <div className={`flex wrap gap-8 end ${classes['actions']}`}>
          {item.zoneId === null || !item.present ? null : (
            <Button variant="default" renderRoot={(props) => <Link to="/domains/$id" params={{ id: item.zoneId ?? '' }} {...props} />}>
              {t('page.open_domain')}
            </Button>
          )}
          {onUndo === undefined || item.state !== 'done' ? null : (
            <Button variant="default" leftSection={<IconArrowBackUp size={15} stroke={1.8} aria-hidden />} onClick={onUndo}>
              {undoLabel}
            </Button>
          )}
          <Button onClick={onClose}>{t('common:close')}</Button>
        </div>
      </div>
    </Dialog>
  )
}
