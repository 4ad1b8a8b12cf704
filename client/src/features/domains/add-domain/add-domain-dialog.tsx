import { Modal, SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AddManyForm } from './add-many-form.tsx'
import { AddOneForm } from './add-one-form.tsx'
import classes from './add-domain.module.css'

/** Adds one domain, or many from a list (R-DOM-05, 07); opens from anywhere. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('domains')
  const [mode, setMode] = useState<'single' | 'many'>('single')
  const [asking, setAsking] = useState(true)
  return (
    <Modal
      opened
      onClose={onClose}
      title={t(asking ? 'add.title' : 'add.done_title')}
      size={mode === 'single' ? 560 : 680}
      closeOnClickOutside={false}
    >
      <div className={classes['form']}>
        {asking ? (
          <SegmentedControl
            className={classes['modes'] ?? ''}
            value={mode}
            onChange={setMode}
            aria-label={t('add.mode')}
            data={[
              { value: 'single', label: t('add.single') },
              { value: 'many', label: t('add.many') },
            ]}
          />
        ) : null}
        {mode === 'single' ? (
          <AddOneForm onAdded={() => setAsking(false)} onAgain={() => setAsking(true)} onClose={onClose} />
        ) : (
          <AddManyForm onClose={onClose} />
        )}
      </div>
    </Modal>
  )
}
