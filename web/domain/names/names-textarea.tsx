import { Textarea, type TextareaProps } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { nameTexts } from '@ovation/contract/texts/names'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type Ref, useId, useLayoutEffect, useRef, useState } from 'react'
import { nameOf } from '../../lib/auth/viewer.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import { publicImage } from '../../lib/media/public-image.ts'
import { ProfileAvatar } from '../../ui/profile-avatar.tsx'
import classes from './names-textarea.module.css'
import { type Suggestion, suggestionsQuery } from './queries.ts'
import { type TypedName, typedName } from './typed-name.ts'

type Props = Omit<TextareaProps, 'value' | 'onChange'> & {
  value: string
  onText: (text: string) => void
  /** The post under which the text will be: its commenters come first. */
  postId?: string
  ref?: Ref<HTMLTextAreaElement>
}

const waitMs = 150

/** A text field that suggests tags and users while `#` or `@` is typed (TALK-01). */
export function NamesTextarea({ value, onText, postId, onKeyDown, onBlur, ref, ...field }: Props) {
  const box = useRef<HTMLTextAreaElement>(null)
  const listId = useId()
  const [name, setName] = useState<TypedName>()
  const [place, setPlace] = useState(0)
  /** Where the caret belongs after a suggestion was chosen. */
  const caret = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (caret.current === undefined) return
    box.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })

  const [asked] = useDebouncedValue(name, waitMs)
  const query = useQuery({
    ...suggestionsQuery(asked?.sign ?? '#', asked?.typed ?? '', postId),
    enabled: asked !== undefined,
  })
  const isCurrent = name !== undefined && asked?.sign === name.sign && asked.typed === name.typed
  const suggestions = isCurrent ? (query.data ?? []) : []
  const isOpen = suggestions.length > 0
  const active = Math.min(place, suggestions.length - 1)
  const optionId = (index: number) => `${listId}-${String(index)}`

  const look = () => {
    const { selectionStart, selectionEnd } = box.current ?? { selectionStart: 0, selectionEnd: 0 }
    const next = selectionStart === selectionEnd ? typedName(box.current?.value ?? '', selectionStart) : undefined
    if (next?.sign !== name?.sign || next?.typed !== name?.typed) setPlace(0)
    setName(next)
  }
  const choose = (suggestion: Suggestion) => {
    if (!name) return
    const text = `${suggestion.text} `
    caret.current = name.start + text.length
    onText(value.slice(0, name.start) + text + value.slice(name.end).replace(/^ /, ''))
    setName(undefined)
    box.current?.focus()
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const chosen = suggestions[active]
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey && !event.nativeEvent.isComposing
    if (chosen && plain) {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
      if (step !== 0) setPlace((active + step + suggestions.length) % suggestions.length)
      else if (event.key === 'Enter' || event.key === 'Tab') choose(chosen)
      else if (event.key === 'Escape') setName(undefined)
      else return onKeyDown?.(event)
      event.preventDefault()
      // Escape closes the suggestions, not the dialog around them.
      event.stopPropagation()
      event.nativeEvent.stopImmediatePropagation()
      return
    }
    onKeyDown?.(event)
  }
  return (
    <div className={classes.field}>
      <Textarea
        {...field}
        ref={(element) => {
          box.current = element
          if (typeof ref === 'function') ref(element)
          else if (ref) ref.current = element
        }}
        value={value}
        onChange={(event) => {
          onText(event.currentTarget.value)
          look()
        }}
        onSelect={look}
        onKeyDown={press}
        onBlur={(event) => {
          setName(undefined)
          onBlur?.(event)
        }}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={isOpen ? listId : undefined}
        aria-activedescendant={isOpen ? optionId(active) : undefined}
      />
      <p className="visually-hidden" aria-live="polite">
        {isOpen ? nameTexts.found(suggestions.length) : ''}
      </p>
      {isOpen && (
        <div
          id={listId}
          role="listbox"
          className={`surface ${classes.list}`}
          aria-label={name?.sign === '#' ? nameTexts.tags : nameTexts.people}
        >
          {suggestions.map((suggestion, index) => (
            // The keyboard stays in the text field, which names the active option.
            <div
              key={suggestion.key}
              id={optionId(index)}
              role="option"
              tabIndex={-1}
              aria-selected={index === active}
              className={classes.option}
              // Not on click: the field would lose the focus first, and the list close.
              onMouseDown={(event) => {
                event.preventDefault()
                choose(suggestion)
              }}
              ref={index === active ? (element) => element?.scrollIntoView?.({ block: 'nearest' }) : undefined}
            >
              <One suggestion={suggestion} />
            </div>
          ))}
        </div>
      )}
    </div>
  )
}

function One({ suggestion }: { suggestion: Suggestion }) {
  if ('posts' in suggestion)
    return (
      <>
        <span className={classes.name} dir="auto">
          {suggestion.text}
        </span>
        <span className={classes.more}>{nameTexts.posts(formatCount(suggestion.posts))}</span>
      </>
    )
  const { person } = suggestion
  return (
    <>
      <ProfileAvatar name={nameOf(person)} src={publicImage(person.avatar_url, person.updated_at)} size={28} />
      <span className={classes.name} dir="auto">
        {nameOf(person)}
      </span>
      <span className={classes.more}>{suggestion.text}</span>
    </>
  )
}
