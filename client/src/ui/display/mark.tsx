/** The product logo: a deck of zones. */
export function Mark({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden>
      <rect width="32" height="32" rx="7" fill="var(--accent-fill)" />
      <g fill="#fff">
        <rect x="7" y="8" width="18" height="4" rx="1.4" />
        <rect x="7" y="14" width="12" height="4" rx="1.4" opacity=".75" />
        <rect x="7" y="20" width="18" height="4" rx="1.4" opacity=".5" />
      </g>
    </svg>
  )
}
