import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { groupIcons } from '#shared/features/groups/icons.ts'
import { pictures } from './group-icons.ts'
import { ownColor } from './group-mark.tsx'
import { groupColors, isColor } from './colors.ts'
import classes from './pickers.module.css'

/** All icons side by side; arrow keys move among them. */
export function IconPicker({ value, color, onChange }: { value: string; color: string; onChange: (icon: string) => void }) {
  const { t } = useTranslation('groups')
  const name = useId()
  return (
    <fieldset className={classes['picker']}>
      <legend>{t('form.icon')}</legend>
      <div className={`grid gap-2 ${classes['icons']}`} style={ownColor(color)}>
        {groupIcons.map((icon) => {
          const Symbol = pictures[icon]
          return (
            <label
              key={icon}
              className={`row center relative secondary radius hover hover-primary ${classes['icon']}`}
              title={t(`icon.${icon}`)}
            >
              <input type="radio" name={name} aria-label={t(`icon.${icon}`)} checked={value === icon} onChange={() => onChange(icon)} />
              <Symbol size={18} stroke={1.6} aria-hidden />
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

/** Preset colors, and a field for any other. */
export function ColorPicker({ value, error, onChange }: { value: string; error?: string | undefined; onChange: (color: string) => void }) {
  const { t } = useTranslation('groups')
  const name = useId()
  const selected = value.trim().toLowerCase()
  return (
    <fieldset className={classes['picker']}>
      <legend>{t('form.color')}</legend>
      <div className={`row wrap ${classes['colors']}`}>
        {groupColors.map(([id, color]) => (
          <label key={id} className={`row center relative pointer ${classes['color']}`} style={ownColor(color)} title={t(`color.${id}`)}>
            <input type="radio" name={name} aria-label={t(`color.${id}`)} checked={selected === color} onChange={() => onChange(color)} />
            <IconCheck size={14} stroke={2.6} aria-hidden />
          </label>
        ))}
        <span className={`row gap-6 ${classes['own']}`}>
          <input
            type="color"
            aria-label={t('form.color_pick')}
            title={t('form.color_pick')}
            value={isColor(value) ? selected : '#000000'}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <TextInput
            name="color"
            size="xs"
            aria-label={t('form.color_hex')}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            error={error !== undefined}
            maxLength={7}
            autoComplete="off"
            spellCheck={false}
            classNames={{ input: 'mono' }}
          />
        </span>
      </div>
      {error === undefined ? null : (
        <p className={`size-12 bad ${classes['error']}`} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
