import { Button, type ComboboxItem, Loader, Select } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { handleSubmit } from '#client/lib/forms.ts'
import { Dialog } from '../overlay/dialog.tsx'

interface FieldProps {
  label: string
  placeholder: string
  /** Undefined while loading. */
  options: readonly ComboboxItem[] | undefined
  /** Listed first, e.g. ‘none’. */
  first?: ComboboxItem
  value: string | null
  onChange: (id: string | null) => void
  /** Shown if there are no options. */
  none: string
  /** Without options there is nothing to select. */
  hideWithoutOptions?: boolean
  renderOption?: (item: ComboboxItem) => ReactNode
  clearable?: boolean
  /** Creates another one in a dialog that is loaded when it opens; it is then selected. */
  create?: { label: string; Dialog: ComponentType<{ onSaved: (created: { id: string }) => void; onClose: () => void }> } | null
}

/** Selects one of several objects, or creates another. */
export function PickOrCreateField(props: FieldProps) {
  const {
    label,
    placeholder,
    options,
    first,
    value,
    onChange,
    none,
    hideWithoutOptions = false,
    renderOption,
    clearable = false,
    create,
  } = props
  const { t } = useTranslation()
  const [creating, setCreating] = useState(false)
  if (options === undefined) return <Loader size="xs" />
  const isEmpty = options.length === 0
  return (
    <>
      {hideWithoutOptions && isEmpty ? null : (
        <Select
          label={label}
          placeholder={placeholder}
          data={first === undefined ? [...options] : [first, ...options]}
          value={value}
          onChange={onChange}
          nothingFoundMessage={t('filters.none')}
          {...(renderOption && { renderOption: ({ option }: { option: ComboboxItem }) => renderOption(option) })}
          searchable
          clearable={clearable}
          openOnFocus={false}
          data-autofocus
        />
      )}
      {isEmpty ? <p className={hideWithoutOptions ? 'size-13 secondary' : 'size-12 muted'}>{none}</p> : null}
      {create == null ? null : (
        <Button
          variant="subtle"
          size="xs"
          style={{ alignSelf: 'flex-start' }}
          leftSection={<IconPlus size={14} stroke={2} />}
          onClick={() => setCreating(true)}
        >
          {create.label}
        </Button>
      )}
      {create != null && creating ? (
        <Suspense fallback={null}>
          <create.Dialog onSaved={({ id }) => onChange(id)} onClose={() => setCreating(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

/** The same as a separate dialog, for assigning an object to one or to none. */
export function PickOrCreateDialog({
  title,
  save,
  present,
  onSave,
  onClose,
  ...field
}: Omit<FieldProps, 'value' | 'onChange' | 'hideWithoutOptions' | 'clearable' | 'first'> & {
  title: string
  /** The label of the button. */
  save: string
  /** The current assignment. */
  present: string | null
  /** Failures have already been reported. */
  onSave: (id: string | null) => Promise<void>
  onClose: () => void
}) {
  const { t } = useTranslation()
  const [id, setId] = useState(present)
  const [saving, setSaving] = useState(false)
  const isEmpty = field.options === undefined || field.options.length === 0
  const submit = async (): Promise<void> => {
    if (saving) return
    setSaving(true)
    try {
      await onSave(id)
      onClose()
    } catch {
      setSaving(false)
    }
  }
  return (
    <Dialog onClose={saving ? () => undefined : onClose} title={title} size={440}>
      <form className="column gap-16" onSubmit={(event) => handleSubmit(event, submit)}>
        <PickOrCreateField {...field} value={id} onChange={setId} hideWithoutOptions clearable />
        <div className="flex gap-8 end mt-4">
          <Button variant="default" onClick={onClose} disabled={saving}>
            {t(isEmpty ? 'close' : 'cancel')}
          </Button>
          {isEmpty ? null : (
            <Button type="submit" loading={saving} disabled={id === present}>
              {save}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  )
}
