/** A name that may find no room: whole in its title. */
export function CutName({ name, title = name, mono = false }: { name: string | undefined; title?: string | undefined; mono?: boolean }) {
  return (
    <bdi className={mono ? `cut shrink mono` : 'cut shrink'} title={title}>
      {name}
    </bdi>
  )
}
