import { Button, Loader } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Redirect } from '#shared/features/redirects/schema.ts'
import { displayAddress } from '#shared/features/redirects/redirect-url.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { ErrorState } from '#client/ui/feedback/error-state.tsx'
import { DraftDialog } from '#client/ui/overlay/draft-dialog.tsx'
import { ImportForm } from './import-form.tsx'
import { PlanView } from './plan-view.tsx'
import type { PlanRedirects, RedirectPlan } from './plan-redirects.ts'
import { RedirectForm } from './redirect-form.tsx'
import classes from './redirects.module.css'

export type RedirectChange = { readonly kind: 'add' | 'import' } | { readonly kind: 'edit' | 'delete'; readonly redirect: Redirect }

/** A change of redirects: its form, then the preview with everything that it causes. */
export function ChangeDialog({ accountId, change, onClose }: { accountId: string; change: RedirectChange; onClose: () => void }) {
  const { t } = useTranslation('redirects')
  const [plan, setPlan] = useState<RedirectPlan | null>(null)
  const [isChanged, setChanged] = useState(false)
  const planning = trpc.operations.previewRedirects.useMutation({ meta: { failure: false }, trpc: { context: { unbatched: true } } })
  const [order, setOrder] = useState<Parameters<PlanRedirects>[0]>({})
  const [createsRecords, setCreatesRecords] = useState(true)
  const run: PlanRedirects = async (wanted) => {
    setPlan(await planning.mutateAsync({ id: accountId, ...wanted, createRecords: createsRecords }))
    setOrder(wanted)
  }
  const createRecords = async (createRecords: boolean): Promise<void> => {
    try {
      setPlan(await planning.mutateAsync({ id: accountId, ...order, createRecords }))
      setCreatesRecords(createRecords)
    } catch (error) {
      toast.failure(error, t('failures.preview'))
    }
  }
  const title =
    change.kind === 'import'
      ? t('csv.title')
      : change.kind === 'delete'
        ? t('form.delete', { source: displayAddress(change.redirect.source) })
        : t(`form.${change.kind}`)
  const isForm = plan === null
  const content = useRef<HTMLDivElement>(null)
  const wasForm = useRef(isForm)
  useEffect(() => {
    // The focused button is gone with the form or the preview that had it.
    if (wasForm.current !== isForm) content.current?.focus()
    wasForm.current = isForm
  }, [isForm])
  return (
    <DraftDialog isChanged={isChanged} onClose={onClose} title={title} size={change.kind === 'import' ? 880 : 620}>
      {(close) => (
        <div ref={content} tabIndex={-1} className={classes['content']}>
          {change.kind === 'delete' ? (
            isForm && <Deleting source={change.redirect.source} onPlan={run} onClose={onClose} />
          ) : (
            // It stays, so that going back from the preview keeps what was entered.
            <div hidden={!isForm}>
              {change.kind === 'import' ? (
                <ImportForm onChanged={setChanged} onPlan={run} onCancel={close} />
              ) : (
                <RedirectForm
                  redirect={change.kind === 'edit' ? change.redirect : null}
                  onChanged={setChanged}
                  onPlan={run}
                  onCancel={close}
                />
              )}
            </div>
          )}
          {plan === null ? null : (
            <PlanView
              plan={plan}
              records={{ isOn: createsRecords, isPlanning: planning.isPending, set: (isOn) => void createRecords(isOn) }}
              {...(change.kind !== 'delete' && { onBack: () => setPlan(null) })}
              onClose={onClose}
            />
          )}
        </div>
      )}
    </DraftDialog>
  )
}

/** Nothing has to be entered, so the preview is requested immediately. */
function Deleting({ source, onPlan, onClose }: { source: string; onPlan: PlanRedirects; onClose: () => void }) {
  const { t } = useTranslation(['redirects', 'common'])
  const [error, setError] = useState<unknown>(null)
  const requested = useRef(false)
  const request = (): void => {
    setError(null)
    onPlan({ remove: [source] }).catch(setError)
  }
  useEffect(() => {
    if (requested.current) return
    requested.current = true
    onPlan({ remove: [source] }).catch(setError)
  }, [onPlan, source])
  return (
    <div className="column gap-14">
      {error === null ? (
        <p role="status">
          <Loader size="xs" /> {t('plan.loading')}
        </p>
      ) : (
        <ErrorState error={error} onRetry={request} />
      )}
      <div className="flex gap-8 end">
        <Button variant="default" onClick={onClose}>
          {t('common:cancel')}
        </Button>
      </div>
    </div>
  )
}
