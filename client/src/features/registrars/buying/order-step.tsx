import { Button, Checkbox } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Account } from '#shared/features/accounts/schema.ts'
import type { PurchasePreview } from '#shared/features/registrars/buying/schema.ts'
import type { Registrar } from '#shared/features/registrars/schema.ts'
import { AccountOrder, AddFields, useManagedAccounts } from '#client/features/domains/index.ts'
import { PreviewDialog } from '#client/features/operations/index.ts'
import { TrackerFields, useManagedTrackers } from '#client/features/trackers/index.ts'
import { handleSubmit } from '#client/lib/forms.ts'
import { failureOf, fieldErrors, messageOf, providerWords } from '#client/lib/errors.ts'
import { counted } from '#client/lib/format.ts'
import { sentences } from '#client/lib/text.ts'
import { trpc } from '#client/lib/trpc.ts'
import { Problem } from '#client/ui/feedback/problem.tsx'
import { dropCheck, type Check } from './check-store.ts'
import { ContactPicker, useContact } from './contact-picker.tsx'
import { changeDraft, draft, dropNames } from './draft.ts'
import { isEnough, orderedNames } from './offers.ts'
import { OrderSummary } from './order-summary.tsx'
import type { Rows } from './use-rows.ts'
import classes from './buying.module.css'

/** The setup, the cost and the purchase of the selected names. */
export function OrderStep({
  asked,
  registrars,
  ownerId,
  rows: { taken, sums },
}: {
  asked: Check
  registrars: readonly Registrar[]
  ownerId: string | undefined
  rows: Rows
}) {
  const { t } = useTranslation(['buying', 'domains', 'faults'])
  const navigate = useNavigate()
  const { years, privacy, autoRenew, tracker } = draft.use()
  const { contact } = useContact(ownerId)
  const { accounts, accountIds, reading: readingAccounts } = useAccountChoice(ownerId)
  const trackers = useManagedTrackers(ownerId)?.filter(({ enabled }) => enabled) ?? []
  // Disabled until these have loaded, because the missing fields are unknown and a click would be lost.
  const reading = readingAccounts || contact === undefined
  const order = useOrder({ taken, accountIds, contactId: contact?.id, reading })
  const { preview, missing, errors } = order
  const nameOf = new Map(registrars.map(({ id, name }) => [id, name]))
  const terms = [
    ...(contact ? [{ label: t('order.contact'), value: `${contact.firstName} ${contact.lastName}, ${contact.email}` }] : []),
    { label: t('term.label'), value: t('term.years', counted(years)) },
    { label: t('order.privacy'), value: t(privacy ? 'order.yes' : 'order.no') },
    { label: t('order.auto_renew'), value: t(autoRenew ? 'order.yes' : 'order.no') },
  ]
  const short = sums.some(({ registrarId, total }) => isEnough(total, asked.byRegistrar.get(registrarId)?.balance ?? null) === false)

  return (
    <>
      <form className={`grid start ${classes['order']}`} noValidate onSubmit={(event) => handleSubmit(event, order.plan)}>
        <div className="column shrink">
          <Part title={t('order.contact')}>
            <ContactPicker ownerId={ownerId} error={missing && contact === null ? t('contact.select') : errors['contactId']} />
          </Part>
          <Terms />
          <Setup accounts={accounts} accountIds={accountIds} ownerId={ownerId} order={order} />
          {trackers.length === 0 ? null : (
            <Part title={t('order.tracker')}>
              <p className={classes['quiet']}>{t('order.tracker_help')}</p>
              <Suspense fallback={null}>
                <TrackerFields optional value={tracker} ownerId={ownerId} onChange={(next) => changeDraft({ tracker: next })} />
              </Suspense>
            </Part>
          )}
        </div>
        <aside className={`column card gap-12 shrink ${classes['aside']}`} aria-label={t('order.total')}>
          <h2>{t('order.total')}</h2>
          <OrderSummary sums={sums} taken={taken} registrars={registrars} asked={asked} years={years} />
          <Problem text={order.problem} />
          <Button type="submit" fullWidth loading={order.planning || reading} disabled={short || taken.length === 0}>
            {t('order.preview', counted(taken.length))}
          </Button>
          <p className={classes['quiet']}>{t('order.preview_help')}</p>
        </aside>
      </form>
      {preview === null ? null : (
        <Suspense>
          <PreviewDialog
            title={t('title')}
            preview={{
              ...preview,
              totals: preview.totals.map((each) => ({ ...each, registrar: nameOf.get(each.registrarId) ?? each.registrar })),
            }}
            terms={terms}
            onBack={order.leavePreview}
            onStarted={() => {
              dropNames()
              dropCheck()
              void navigate({ to: '/operations/$id', params: { id: preview.operation.id } })
            }}
            onClose={order.leavePreview}
          />
        </Suspense>
      )}
    </>
  )
}

/** The available accounts and the selected ones. */
function useAccountChoice(ownerId: string | undefined) {
  const { accountIds: selected } = draft.use()
  const { accounts: managed, reading } = useManagedAccounts()
  const accounts = managed.filter((account) => ownerId === undefined || account.ownerId === ownerId)
  const accountIds =
    selected?.filter((id) => accounts.some((each) => each.id === id)) ?? (accounts.length === 1 ? accounts.map(({ id }) => id) : [])
  return { accounts, accountIds, reading }
}

/** Requests the preview of the order; missing input is shown in the form. */
function useOrder({
  taken,
  accountIds,
  contactId,
  reading,
}: {
  taken: Rows['taken']
  accountIds: string[]
  contactId: string | undefined
  reading: boolean
}) {
  const { t } = useTranslation('buying')
  const { privacy, autoRenew, values, tracker } = draft.use()
  const planning = trpc.operations.previewPurchase.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const [missing, setMissing] = useState(false)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [problem, setProblem] = useState<string | null>(null)
  const [preview, setPreview] = useState<PurchasePreview | null>(null)
  const plan = async (): Promise<void> => {
    setMissing(true)
    if (planning.isPending || reading || contactId === undefined || accountIds.length === 0) return
    setProblem(null)
    setErrors({})
    const { spread, ipAddress, groupId, profileId, createWww, enableProxy, sslMode, alwaysHttps } = values
    try {
      setPreview(
        await planning.mutateAsync({
          ipAddress,
          groupId,
          profileId,
          createWww,
          enableProxy,
          sslMode,
          alwaysHttps,
          names: orderedNames(taken),
          accountIds,
          spread,
          contactId,
          privacy,
          autoRenew,
          ...(tracker !== null && { tracker }),
        }),
      )
    } catch (error) {
      const fields = fieldErrors(error)
      setErrors(fields)
      // Issues without a visible field.
      const other = Object.entries(fields).find(([path]) => path !== 'ipAddress' && path !== 'accountIds' && path !== 'contactId')?.[1]
      if (other !== undefined) setProblem(other)
      else if (Object.keys(fields).length === 0 && failureOf(error).kind !== 'cancelled') {
        setProblem(sentences(t('failed.preview'), messageOf(error), providerWords(error)))
      }
    }
  }

  return {
    plan,
    planning: planning.isPending,
    missing,
    errors,
    clearErrors: (): void => setErrors({}),
    problem,
    preview,
    leavePreview: (): void => setPreview(null),
  }
}

function Terms() {
  const { t } = useTranslation('buying')
  const { privacy, autoRenew } = draft.use()
  return (
    <Part title={t('order.terms')}>
      <div className={`grid gap-16 start halves ${classes['terms']}`}>
        <Checkbox
          size="sm"
          label={t('order.privacy')}
          description={t('order.privacy_help')}
          checked={privacy}
          onChange={(event) => changeDraft({ privacy: event.currentTarget.checked })}
        />
        <Checkbox
          size="sm"
          label={t('order.auto_renew')}
          description={t('order.auto_renew_help')}
          checked={autoRenew}
          onChange={(event) => changeDraft({ autoRenew: event.currentTarget.checked })}
        />
      </div>
    </Part>
  )
}

/** The accounts for the names, and their initial settings. */
function Setup({
  accounts,
  accountIds,
  ownerId,
  order,
}: {
  accounts: readonly Account[]
  accountIds: string[]
  ownerId: string | undefined
  order: ReturnType<typeof useOrder>
}) {
  const { t } = useTranslation(['buying', 'domains', 'faults'])
  const { values } = draft.use()
  return (
    <Part title={t('order.setup')}>
      {accounts.length === 0 ? (
        <p className={classes['quiet']}>
          {t('order.no_accounts')}{' '}
          <Link to="/accounts" className={classes['link']}>
            {t('order.to_accounts')}
          </Link>
        </p>
      ) : (
        <AccountOrder
          accounts={accounts}
          value={accountIds}
          error={order.missing && accountIds.length === 0 ? t('faults:select_account') : order.errors['accountIds']}
          spread={values.spread}
          onSpread={(spread) => changeDraft({ values: { ...values, spread } })}
          onChange={(ids) => changeDraft({ accountIds: ids })}
        />
      )}
      <AddFields
        values={values}
        ip={{
          name: 'ipAddress',
          value: values.ipAddress,
          error: order.errors['ipAddress'],
          description: t('domains:add.ip_optional'),
          onChange: (event) => {
            order.clearErrors()
            changeDraft({ values: { ...values, ipAddress: event.currentTarget.value } })
          },
        }}
        ownerId={ownerId}
        modes={['flexible', 'full']}
        onChange={(part) => changeDraft({ values: { ...values, ...part } })}
      />
    </Part>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={`column gap-14 shrink ${classes['part']}`} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}
