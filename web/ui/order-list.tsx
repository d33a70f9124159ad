import { ActionIcon } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import classes from './order-list.module.css'

type Props<Item> = {
  items: readonly Item[]
  keyOf: (item: Item) => string
  nameOf: (item: Item) => string
  children: (item: Item) => ReactNode
  texts: {
    up: (name: string) => string
    down: (name: string) => string
    moved: (name: string, place: number, of: number) => string
  }
  disabled?: boolean
  onChange: (items: Item[]) => void
}

/** A short list that the user puts in order with buttons, which work with a keyboard, too. */
export function OrderList<Item>({ items, keyOf, nameOf, children, texts, disabled = false, onChange }: Props<Item>) {
  const [announced, setAnnounced] = useState('')
  const move = (item: Item, step: 1 | -1) => {
    const to = items.indexOf(item) + step
    if (to < 0 || to >= items.length || disabled) return
    onChange(items.filter((other) => other !== item).toSpliced(to, 0, item))
    setAnnounced(texts.moved(nameOf(item), to + 1, items.length))
  }
  return (
    <>
      <ol className={classes.order}>
        {items.map((item, index) => (
          <li key={keyOf(item)}>
            <span className={classes.name}>{children(item)}</span>
            {/* Not disabled at the ends, which would lose the focus. */}
            <ActionIcon
              variant="default"
              aria-label={texts.up(nameOf(item))}
              aria-disabled={index === 0 || disabled}
              onClick={() => move(item, -1)}
            >
              <IconArrowUp size={18} stroke={1.6} />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={texts.down(nameOf(item))}
              aria-disabled={index === items.length - 1 || disabled}
              onClick={() => move(item, 1)}
            >
              <IconArrowDown size={18} stroke={1.6} />
            </ActionIcon>
          </li>
        ))}
      </ol>
      <p className="visually-hidden" aria-live="polite">
        {announced}
      </p>
    </>
  )
}
