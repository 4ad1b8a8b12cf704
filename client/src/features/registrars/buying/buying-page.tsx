import { getRouteApi, Link } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { NoRegistrars } from '../index.ts'
import { useOurs } from '#client/features/domains/index.ts'
import { formatNumber } from '#client/lib/format.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { PageHeader } from '#client/ui/layout/page-header.tsx'
import { Skeleton } from '#client/ui/feedback/skeleton.tsx'
import { check, keptQuestion, startCheck } from './check-store.ts'
import { draft } from './draft.ts'
import { NamesStep } from './names-step.tsx'
import { OffersStep } from './offers-step.tsx'
import { OrderStep } from './order-step.tsx'
import { readNames } from './read-names.ts'
import { parseBuyingSearch, type Step } from './search.ts'
import { useRows } from './use-rows.ts'
import { useSellers } from './use-sellers.ts'
import tabs from '#client/ui/layout/tabs.module.css'
import classes from './buying.module.css'

const route = getRouteApi('/_app/register-domains')

/** From a list of names to working domains (R-BUY-01…03): names, offers, order. */
export function BuyingPage() {
  const { t } = useTranslation('buying')
  // Parsed again, because the router keeps unknown parameters of the first parse.
  const { step: askedStep = 'names', show = 'all' } = parseBuyingSearch(route.useSearch())
  const navigate = route.useNavigate()
  const sellers = useSellers()
  const asked = check.use()
  const rows = useRows()
  const { text } = draft.use()
  const names = useMemo(() => readNames(text).names.map(({ name }) => name), [text])
  const ours = useOurs(names)
  const wanted = names.filter((name) => (ours.get(name) ?? null) === null)
  const askedOf = useMemo(() => sellers.all.filter(({ id }) => asked?.registrarIds.includes(id)), [sellers.all, asked])
  // The page was reloaded after the first step, so prices are requested again.
  const kept = asked === null && askedStep !== 'names' ? keptQuestion() : null
  const again = kept === null ? [] : sellers.all.filter(({ id }) => kept.registrarIds.includes(id))
  const resuming = kept !== null && kept.names.length > 0 && again.length > 0
  useEffect(() => {
    if (resuming) startCheck(kept.names, again)
  })
  const running = asked !== null && [...asked.byRegistrar.values()].some(({ state }) => state === 'running')
  const step: Step = asked === null ? 'names' : askedStep === 'order' && rows.taken.length === 0 && !running ? 'offers' : askedStep

  const steps = [
    { id: 'names', count: wanted.length, open: true },
    { id: 'offers', count: asked?.names.length ?? 0, open: asked !== null },
    { id: 'order', count: rows.taken.length, open: rows.taken.length > 0 },
  ] as const
  return (
    <>
      <PageHeader title={t('title')} />
      {sellers.error !== null ? (
        <ErrorState title={t('failed.load')} error={sellers.error} onRetry={sellers.retry} />
      ) : sellers.pending || resuming || (step === 'order' && rows.taken.length === 0) ? (
        <Skeleton width={280} height={20} />
      ) : sellers.all.length === 0 ? (
        <NoRegistrars title={t('empty.title')} text={t('empty.text')} action={t('empty.action')} />
      ) : (
        <>
          <nav className={`${tabs['tabs']} mb-16 ${classes['steps']}`} aria-label={t('steps.label')}>
            {steps.map(({ id, count, open }, index) => {
              const words = (
                <>
                  <span className={`grid size-11 numeric border-strong ${classes['stepNumber']}`} aria-hidden>
                    {index + 1}
                  </span>
                  {t(`steps.${id}`)}
                  {count === 0 ? null : <small>{formatNumber(count)}</small>}
                </>
              )
              return open ? (
                <Link
                  key={id}
                  to="/register-domains"
                  search={id === 'names' ? {} : { step: id }}
                  activeOptions={{ exact: true, includeSearch: true }}
                  className={tabs['tab']}
                  aria-current={step === id ? 'step' : undefined}
                >
                  {words}
                </Link>
              ) : (
                <span key={id} className={tabs['tab']} aria-disabled>
                  {words}
                </span>
              )
            })}
          </nav>
          {step === 'names' || asked === null ? (
            <NamesStep sellers={sellers} ours={ours} onAsked={() => void navigate({ search: { step: 'offers' } })} />
          ) : step === 'offers' ? (
            <OffersStep
              asked={asked}
              registrars={askedOf}
              rows={rows}
              show={show}
              onShow={(next) => void navigate({ replace: true, search: parseBuyingSearch({ step: 'offers', show: next }) })}
              onNext={() => void navigate({ search: { step: 'order' } })}
            />
          ) : (
            <OrderStep asked={asked} registrars={askedOf} ownerId={sellers.ownerId} rows={rows} />
          )}
        </>
      )}
    </>
  )
}
