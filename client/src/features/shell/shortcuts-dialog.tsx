import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { Dialog } from '#client/ui/overlay/dialog.tsx'
import { Kbd, modKey } from '#client/ui/display/kbd.tsx'
import { navigationFor } from './navigation.ts'
import classes from './shortcuts-dialog.module.css'

/** `?` shows the keyboard shortcuts. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const role = auth.use().user?.role ?? 'user'
  const pages = navigationFor(role).flatMap((group) => group.items)
  const sections = [
    {
      title: t('shortcuts.everywhere'),
      rows: [
        { keys: [modKey, 'K'], text: t('shortcuts.palette') },
        { keys: ['?'], text: t('shortcuts.help') },
        ...pages.map((item) => ({
          keys: ['G', item.key.toUpperCase()],
          text: t('shortcuts.go', { page: t(item.label) }),
        })),
      ],
    },
    {
      title: t('shortcuts.lists'),
      rows: [
        { keys: ['/'], text: t('shortcuts.search') },
        { keys: ['J', 'K'], text: t('shortcuts.move') },
        { keys: ['Home', 'End'], text: t('shortcuts.ends') },
        { keys: ['X'], text: t('shortcuts.select') },
        { keys: ['Shift', 'X'], text: t('shortcuts.range') },
        { keys: ['Esc'], text: t('shortcuts.clear') },
        { keys: ['↵'], text: t('shortcuts.open') },
      ],
    },
    {
      title: t('shortcuts.records'),
      rows: [
        { keys: ['N'], text: t('shortcuts.record_add') },
        { keys: ['E'], text: t('shortcuts.record_edit') },
        { keys: ['P'], text: t('shortcuts.record_proxy') },
        { keys: ['Delete'], text: t('shortcuts.record_delete') },
      ],
    },
  ]
  return (
    <Dialog onClose={onClose} title={t('shortcuts.title')} size={440}>
      <div className={`column ${classes['sections']}`}>
        {sections.map((section) => (
          <section key={section.title}>
            <h3 className={`size-12 medium muted ${classes['title']}`}>{section.title}</h3>
            <dl>
              {section.rows.map((row) => (
                <div key={row.text} className={`row between size-13 line-bottom ${classes['row']}`}>
                  <dt>{row.text}</dt>
                  <dd className="flex gap-4">
                    {row.keys.map((key) => (
                      <Kbd key={key}>{key}</Kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  )
}
