import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { trackerNames } from '#shared/features/trackers/names.ts'
import type { Tracker, TrackerKind } from '#shared/features/trackers/schema.ts'
import { failureOf, messageOf } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { refresh } from '#client/lib/query-client.ts'
import { toast } from '#client/lib/toast.ts'
import { trpc } from '#client/lib/trpc.ts'
import { WarningBox } from '#client/ui/overlay/warning-box.tsx'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import { TestResult } from './test-result.tsx'
import { useTrackerTest } from '../mutations.ts'
import { stripEnd } from '#shared/text.ts'

const ofPaste = (text: string): string[] => text.split(/[\s,;]+/).filter((part) => part !== '')

/**
 * Adds or edits a tracker. The key field starts empty, and an empty key is unchanged; a new address requires the key again, so that it is not
 * sent to an unintended host.
 */
export function TrackerDialog({
  kind,
  tracker,
  onSaved,
  onClose,
}: {
  kind: TrackerKind
  tracker?: Tracker
  onSaved?: (saved: Tracker) => void
  onClose: () => void
}) {
  const { t } = useTranslation(['trackers', 'common', 'validation'])
  const test = useTrackerTest()
  const { form, addressError, namesOnly, kept, moved, needsKey } = useTrackerForm(kind, tracker, (saved) => {
    onSaved?.(saved)
    onClose()
  })
  const { url, apiKey } = form.values
  /** The test result is hidden when these change. */
  const field = (name: 'url' | 'apiKey') => {
    const text = form.text(name)
    return {
      ...text,
      onChange: (event: { currentTarget: { value: string } }) => {
        test.reset()
        text.onChange(event)
      },
    }
  }
  const tested = url.trim() !== '' && (apiKey.trim() !== '' || (kept && !moved))
  return (
    <Dialog
      onClose={onClose}
      title={t(tracker === undefined ? 'form.create_title' : 'form.edit_title', { kind: trackerNames[kind] })}
      size={520}
    >
      <form className="column gap-16" onSubmit={form.submit} noValidate>
        <TextInput {...form.text('name')} label={t('form.name')} required autoComplete="off" />
        {namesOnly ? null : (
          <>
            <TextInput
              {...field('url')}
              label={t('form.url')}
              description={t(`form.url_help.${kind}`)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              required
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
              spellCheck={false}
              data-autofocus
            />
            {/^\s*http:/i.test(url) ? (
              <WarningBox live title={t('form.http_title')}>
                {t('form.http_text')}
              </WarningBox>
            ) : null}
            <PasswordInput
              {...field('apiKey')}
              label={t('form.key')}
              description={needsKey && moved && kept ? t('form.key_moved') : t(`form.key_help.${kind}`)}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder={kept && !moved ? t('form.unchanged') : ''}
              required={tracker === undefined || needsKey}
              autoComplete="new-password"
              visibilityToggleButtonProps={{ 'aria-label': t('common:show') }}
            />
            <TextInput
              {...form.text('addresses')}
              error={addressError}
              label={t('form.addresses')}
              description={t('form.addresses_help')}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              placeholder="203.0.113.10"
              classNames={{ input: 'mono' }}
              autoComplete="off"
              spellCheck={false}
            />
            <ConnectionTest
              test={test}
              input={{
                kind,
                url: url.trim(),
                ...(tracker !== undefined && { id: tracker.id }),
                ...(apiKey.trim() !== '' && { apiKey: apiKey.trim() }),
              }}
              disabled={!tested}
            />
          </>
        )}
        <FormEnd
          refusal={form.refusal}
          action={t(tracker === undefined ? 'form.add' : 'form.save')}
          busy={form.submitting}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

function useTrackerForm(kind: TrackerKind, tracker: Tracker | undefined, onSaved: (saved: Tracker) => void) {
  const { t } = useTranslation('trackers')
  const create = trpc.trackers.create.useMutation({ meta: { failure: false } })
  const update = trpc.trackers.update.useMutation({ meta: { failure: false } })
  /** Users with whom it is shared can change only its name. */
  const namesOnly = tracker !== undefined && tracker.shared !== null
  const kept = tracker?.hasKey === true
  const isMoved = (to: string) => tracker !== undefined && stripEnd(to.trim(), '/') !== (tracker.url ?? '')
  const needsKeyAt = (to: string) => tracker !== undefined && (isMoved(to) || !kept)
  const form = useForm({
    initial: {
      name: tracker?.name ?? trackerNames[kind],
      url: tracker?.url ?? '',
      apiKey: '',
      addresses: tracker?.addresses.join(', ') ?? '',
    },
    schema: async () => {
      const { createTrackerInput, updateTrackerInput } = await import('#shared/features/trackers/schema.ts')
      const fields = tracker === undefined ? createTrackerInput : updateTrackerInput
      return z.preprocess(
        (given: { url: string; apiKey: string; name: string; addresses: string }) =>
          namesOnly && tracker !== undefined
            ? { id: tracker.id, name: given.name }
            : {
                ...(tracker === undefined ? { kind } : { id: tracker.id }),
                ...given,
                // An empty key is unchanged, so it is reported as missing here.
                ...(needsKeyAt(given.url) && given.apiKey.trim() === '' ? { apiKey: null } : {}),
                addresses: ofPaste(given.addresses),
              },
        fields,
      )
    },
    onSubmit: async (input) => {
      const saved = 'kind' in input ? await create.mutateAsync(input) : await update.mutateAsync(input)
      await refresh('trackers')
      toast.success(t(tracker === undefined ? 'done.created' : 'done.updated'), saved.tracker.name)
      onSaved(saved.tracker)
    },
    refusalOf: (error) => {
      const title = t('failed.save')
      return failureOf(error).kind === 'no_response' ? title : `${title}. ${messageOf(error)}`
    },
  })
  const { url } = form.values
  const addressError = Object.entries(form.errors).find(([path]) => path.startsWith('addresses'))?.[1]
  return { form, addressError, namesOnly, kept, moved: isMoved(url), needsKey: needsKeyAt(url) }
}

function ConnectionTest({
  test,
  input,
  disabled,
}: {
  test: ReturnType<typeof useTrackerTest>
  input: Parameters<ReturnType<typeof useTrackerTest>['mutate']>[0]
  disabled: boolean
}) {
  const { t } = useTranslation('trackers')
  return (
    <>
      {test.data === undefined || test.isPending ? null : <TestResult test={test.data.test} />}
      <div className="flex">
        <Button variant="default" loading={test.isPending} disabled={disabled} onClick={() => test.mutate(input)}>
          {t('test.run')}
        </Button>
      </div>
    </>
  )
}
