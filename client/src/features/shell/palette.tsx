import { createSpotlight, Spotlight } from '@mantine/spotlight'
import '@mantine/spotlight/styles.layer.css'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { IconPlus, IconSearch, IconWorld, type Icon } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auth } from '#client/lib/auth.ts'
import { quickAdd, type QuickAddId } from '#client/lib/quick-add.ts'
import { trpc, type Outputs } from '#client/lib/trpc.ts'
import { Kbd } from '#client/ui/display/kbd.tsx'
import { useLayer } from '#client/ui/overlay/use-layer.ts'
import { navigationFor, type NavigationItem, type NestedPage } from './navigation.ts'
import classes from './palette.module.css'

const [store, spotlight] = createSpotlight()

/** Passed on to its scroll area, which by default measures the whole page when the palette opens. */
const hoverScrollbar = { type: 'hover' }

/** Spotlight keeps its selection in the DOM; whenever the results change, the first one is selected. */
function selectFirst(): void {
  requestAnimationFrame(() => {
    const list = document.getElementById(store.getState().listId)
    for (const selected of list?.querySelectorAll('[data-selected]') ?? []) selected.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  })
}

/** Ctrl/Cmd+K: pages, actions and domains (R-PAL-01…03). */
export function Palette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell')
  const [query, setQuery] = useState('')
  const text = query.trim()
  const [asked] = useDebouncedValue(text, 120)
  const found = trpc.domains.search.useQuery(
    { text: asked },
    {
      enabled: asked !== '' && text !== '',
      placeholderData: keepPreviousData,
      staleTime: 30_000,
    },
  )

  const layer = useLayer({ opened: true, onClose: spotlight.close })
  useEffect(() => spotlight.open(), [])
  useEffect(() => selectFirst(), [text, found.data])

  const { pages, nested, actions } = useOffers(text)
  const isAnswer = asked === text && !found.isPlaceholderData
  // Those found for the previous text, until the answer: Enter must not open one that does not match.
  const domains =
    text === '' ? [] : (found.data?.domains ?? []).filter(({ displayName }) => isAnswer || displayName.includes(text.toLowerCase()))
  const searching = text !== '' && (asked !== text || found.isFetching)
  const nothing = pages.length + nested.length + actions.length + domains.length === 0

  return (
    <Spotlight.Root
      {...layer}
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('palette.open'), 'aria-labelledby': undefined } }}
      scrollable
      maxHeight={420}
      size={600}
      centered={false}
      yOffset="14vh"
      transitionProps={{ transition: 'pop', duration: 120 }}
      returnFocus={false}
      // The page behind it does not scroll as a whole, so that locking it would only lay it out again.
      lockScroll={false}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--backdrop)', ...layer.overlayProps }}
      classNames={{
        content: classes['content'] ?? '',
        search: classes['search'] ?? '',
        action: classes['action'] ?? '',
        actionSection: classes['section'] ?? '',
        actionsGroup: classes['group'] ?? '',
        actionsList: classes['list'] ?? '',
        empty: classes['empty'] ?? '',
        footer: classes['footer'] ?? '',
      }}
    >
      <Spotlight.Search
        placeholder={t('palette.placeholder')}
        aria-label={t('palette.placeholder')}
        leftSection={<IconSearch size={16} stroke={1.8} />}
        leftSectionWidth={42}
      />
      <Spotlight.ActionsList {...hoverScrollbar}>
        <Pages items={pages} nested={nested} />
        <QuickAdds items={actions} />
        <Domains items={domains} typed={text} />
        {nothing ? <Spotlight.Empty>{t(searching ? 'palette.searching' : 'palette.empty')}</Spotlight.Empty> : null}
      </Spotlight.ActionsList>
      <KeyHints />
    </Spotlight.Root>
  )
}

interface Offers {
  pages: readonly NavigationItem[]
  /** Only as answers to a text: the palette opens with the short list. */
  nested: readonly { page: NestedPage; icon: Icon }[]
  actions: readonly QuickAddId[]
}

/** The pages and actions whose names or other words for them contain every word of the text. */
function useOffers(text: string): Offers {
  const { t } = useTranslation('shell')
  const role = auth.use().user?.role ?? 'user'
  return useMemo(() => {
    const items = navigationFor(role).flatMap((group) => group.items)
    const asked = text.toLowerCase().split(/\s+/)
    const has = (...names: string[]): boolean => {
      const words = names.join(' ').toLowerCase()
      return asked.every((word) => words.includes(word))
    }
    return {
      pages: items.filter(({ label }) => has(t(label), label === 'nav.register_domains' ? t('also.register_domains') : '')),
      nested: items.flatMap(({ icon, within = [] }) =>
        text === ''
          ? []
          : within
              .filter(({ id, adminOnly }) => (adminOnly !== true || role === 'admin') && has(t(`within.${id}`), t(`also.${id}`)))
              .map((page) => ({ page, icon })),
      ),
      actions: items
        .flatMap(({ quickAdd: add, paletteAdd }) => [add, paletteAdd].filter((id) => id !== undefined))
        .filter((id) => has(t(`quick_add.${id}`), t(`also.add_${id}`))),
    }
  }, [role, text, t])
}

function Pages({ items, nested }: { items: Offers['pages']; nested: Offers['nested'] }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return items.length + nested.length === 0 ? null : (
    <Spotlight.ActionsGroup label={t('palette.pages')}>
      {items.map((item) => (
        <Spotlight.Action
          key={item.to}
          label={t(item.label)}
          leftSection={<item.icon size={16} stroke={1.7} />}
          rightSection={
            <span className={`flex gap-4 ${classes['keys']}`}>
              <Kbd>G</Kbd> <Kbd>{item.key.toUpperCase()}</Kbd>
            </span>
          }
          onClick={() => void navigate({ to: item.to })}
        />
      ))}
      {nested.map(({ page: { id, to, search = {} }, icon: NestedIcon }) => (
        <Spotlight.Action
          key={id}
          label={t(`within.${id}`)}
          leftSection={<NestedIcon size={16} stroke={1.7} />}
          onClick={() => void navigate({ to, search })}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

function QuickAdds({ items }: { items: Offers['actions'] }) {
  const { t } = useTranslation('shell')
  return items.length === 0 ? null : (
    <Spotlight.ActionsGroup label={t('palette.actions')}>
      {items.map((action) => (
        <Spotlight.Action
          key={action}
          label={t(`quick_add.${action}`)}
          leftSection={<IconPlus size={16} stroke={1.7} />}
          onClick={() => quickAdd.set(action)}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}

function Domains({ items, typed }: { items: Outputs['domains']['search']['domains']; typed: string }) {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  return items.length === 0 ? null : (
    <Spotlight.ActionsGroup label={t('palette.domains')}>
      {items.map((domain) => (
        <Spotlight.Action
          key={domain.id}
          leftSection={<IconWorld size={16} stroke={1.7} />}
          onClick={() => void navigate({ to: '/domains/$id', params: { id: domain.id } })}
        >
          <IconWorld size={16} stroke={1.7} className={classes['icon']} />
          <span className={`cut code ${classes['domain']}`}>
            <Marked text={domain.displayName} part={typed} />
          </span>
        </Spotlight.Action>
      ))}
    </Spotlight.ActionsGroup>
  )
}

function KeyHints() {
  const { t } = useTranslation('shell')
  return (
    <Spotlight.Footer>
      <span>
        <Kbd>↑</Kbd> <Kbd>↓</Kbd> {t('palette.move')}
      </span>
      <span>
        <Kbd>↵</Kbd> {t('palette.run')}
      </span>
      <span>
        <Kbd>Esc</Kbd> {t('palette.close')}
      </span>
    </Spotlight.Footer>
  )
}

/** The matching part of a name is emphasized. */
function Marked({ text, part }: { text: string; part: string }) {
  const at = text.toLowerCase().indexOf(part.toLowerCase())
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + part.length)}</mark>
      {text.slice(at + part.length)}
    </>
  )
}
