import { Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import type { Redirect, RedirectStatus } from '#shared/features/redirects/schema.ts'
import { messageOf, providerWords } from '#client/lib/errors.ts'
import { useForm } from '#client/lib/forms.ts'
import { sentences } from '#client/lib/text.ts'
import { FormEnd } from '#client/ui/form/form-end.tsx'
import type { PlanRedirects } from './plan-redirects.ts'
import { redirectOptions } from './options.ts'

const redirectStatuses = [301, 302, 307, 308] as const satisfies readonly RedirectStatus[]
const off = { preserveQueryString: false, includeSubdomains: false, subpathMatching: false, preservePathSuffix: false }
const whole = { preserveQueryString: true, includeSubdomains: true, subpathMatching: true, preservePathSuffix: true }

/** One redirect, new or to be edited. */
export function RedirectForm({
  redirect,
  onChanged,
  onPlan,
  onCancel,
}: {
  redirect: Redirect | null
  /** Whether there is input to lose. */
  onChanged: (isChanged: boolean) => void
  onPlan: PlanRedirects
  onCancel: () => void
}) {
  const { t } = useTranslation('redirects')
  const initial = { ...(redirect ?? { source: '', target: '', status: 301, ...off }) }
  const form = useForm({
    initial,
    schema: async () => (await import('#shared/features/redirects/schema.ts')).redirectInput,
    onSubmit: async (input) => {
      const isMoved = redirect !== null && redirect.source !== input.source
      await onPlan({ put: [input], ...(isMoved && { remove: [redirect.source] }) })
    },
    refusalOf: (error) => sentences(messageOf(error), providerWords(error)),
  })
  const { values } = form
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial)
  useEffect(() => onChanged(isChanged), [onChanged, isChanged])
  const isWhole = redirectOptions.every((option) => values[option])
  return (
    <form className="column gap-14" onSubmit={form.submit} noValidate>
      <TextInput
        {...form.text('source')}
        label={t('form.source')}
        description={t('form.source_hint')}
        placeholder="old.example.com/page"
        autoComplete="off"
        spellCheck={false}
        required
        data-autofocus
      />
      <TextInput
        {...form.text('target')}
        label={t('form.target')}
        placeholder="https://www.example.com/page"
        autoComplete="off"
        spellCheck={false}
        required
      />
      <NativeSelect
        label={t('form.status')}
        data={redirectStatuses.map((status) => ({ value: String(status), label: t(`statuses.${status}`) }))}
        value={String(values.status)}
        onChange={({ currentTarget: { value } }) => form.set('status', redirectStatuses.find((status) => String(status) === value) ?? 301)}
      />
      <Checkbox
        label={t('form.whole')}
        description={t('form.whole_hint')}
        checked={isWhole}
        onChange={(event) => form.merge(event.currentTarget.checked ? whole : off)}
      />
      {redirectOptions.map((option) => (
        <Checkbox
          key={option}
          label={t(`option.${option}`)}
          checked={values[option]}
          disabled={option === 'preservePathSuffix' && !values.subpathMatching}
          onChange={(event) => form.set(option, event.currentTarget.checked)}
        />
      ))}
      <FormEnd refusal={form.refusal} action={t('form.preview')} busy={form.submitting} onCancel={onCancel} />
    </form>
  )
}
