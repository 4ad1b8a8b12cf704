import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { groupIcons } from '#shared/features/groups/icons.ts'
import { pictures } from './group-icons.ts'
import { ownColor } from './group-mark.tsx'
import classes from './pickers.module.css'

/** All pictures side by side; arrows move among them. */
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
