import { paths } from '@ovation/contract/paths'
import { shellTexts } from '@ovation/contract/texts/common'
import { type FormEvent, type KeyboardEvent, lazy, Suspense, useEffect, useId, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import type { FoundUser } from '../../domain/follows/found-user.ts'
import { addressOf } from '../../lib/auth/viewer.ts'
import { useTypedText } from '../../lib/forms/use-typed-text.ts'
import { SearchField } from '../../ui/search-field.tsx'
import classes from './search-box.module.css'

// Its code loads with the second typed character.
const SearchSuggestions = lazy(() => import('../../features/discover/search-suggestions.tsx'))

const shortest = 2
const pauseMs = 150

/**
 * GEN-19: opens the results or one of the suggested users; an empty query does nothing. On Explore, it also filters the creators, so that
 * the screen needs no second box (EXPL-03, LOOP-10).
 */
export function SearchBox({ className = '' }: { className?: string }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [parameters, setParameters] = useSearchParams()
  const onExplore = pathname === paths.explore
  const searched = onExplore || pathname === '/search' ? (parameters.get('q') ?? '') : ''
  const box = useTypedText(searched)
  const query = box.text
  const [open, setOpen] = useState(false)
  const [found, setFound] = useState<FoundUser[]>([])
  const [active, setActive] = useState(-1)
  const listId = useId()
  const settledSearch = useSettled(query.trim())

  // What was typed on another screen doesn't filter Explore.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival
  useEffect(() => {
    if (onExplore && !searched) box.clear()
  }, [onExplore])
  // Not when Explore's address changes, which the text then follows.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only after typing
  useEffect(() => {
    if (!onExplore || settledSearch === searched || settledSearch !== query.trim()) return
    setParameters(
      (current) => {
        if (settledSearch) current.set('q', settledSearch)
        else current.delete('q')
        return current
      },
      { replace: true, preventScrollReset: true },
    )
  }, [settledSearch])

  const close = () => {
    box.rest()
    setOpen(false)
    setActive(-1)
  }
  const choose = (user: FoundUser) => {
    close()
    box.clear()
    void navigate(paths.profile(addressOf(user)))
  }
  const search = (event: FormEvent) => {
    event.preventDefault()
    const chosen = expanded ? found[active] : undefined
    if (chosen) return choose(chosen)
    close()
    const trimmed = query.trim()
    if (trimmed) void navigate(paths.search(trimmed))
  }
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      // The first Escape closes the list; the browser would also clear the input.
      if (expanded) event.preventDefault()
      close()
    }
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpen(true)
    const by = event.key === 'ArrowDown' ? 1 : -1
    // Beyond either end, the input itself is selected.
    setActive((at) => ((at + 1 + by + found.length + 1) % (found.length + 1)) - 1)
  }

  const suggesting = open && !onExplore && settledSearch.length >= shortest && query.trim().length >= shortest
  const expanded = suggesting && found.length > 0
  return (
    <search className={`${classes.search} ${className}`}>
      <form action={paths.searchScreen} onSubmit={search}>
        <SearchField
          label={shellTexts.search.label}
          name="q"
          role="combobox"
          aria-expanded={expanded}
          aria-controls={expanded ? listId : undefined}
          aria-activedescendant={expanded && active >= 0 ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          placeholder={shellTexts.search.placeholder}
          value={query}
          onChange={(event) => {
            box.type(event.currentTarget.value)
            setOpen(true)
            setActive(-1)
          }}
          onKeyDown={step}
          onBlur={close}
          enterKeyHint="search"
        />
      </form>
      {suggesting && (
        <Suspense>
          <SearchSuggestions id={listId} query={settledSearch} active={active} onFound={setFound} onChoose={choose} />
        </Suspense>
      )}
    </search>
  )
}

/** The typed text, once typing pauses. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const clock = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(clock)
  }, [text])
  return settled
}
