import { Tabs } from '@mantine/core'
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import classes from './tab-strip.module.css'

type Props<Name extends string> = {
  label: string
  names: readonly Name[]
  /** The open tab. */
  open: Name
  words: Readonly<Record<Name, string>>
  icons?: Readonly<Record<Name, ReactNode>>
}

/** The tabs of a screen, inside its `Tabs`. If they don't fit, they scroll and keep the open one in view. */
export function TabStrip<Name extends string>({ label, names, open, words, icons }: Props<Name>) {
  const strip = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const list = strip.current
    const tab = list?.querySelector<HTMLElement>(`[data-tab="${open}"]`)
    if (!list || !tab) return
    // Scrolls the strip only, not the page. Runs again when a phone is rotated and when a tab gets a count.
    const show = () => {
      list.toggleAttribute('data-scrolls', list.scrollWidth > list.clientWidth)
      list.scrollLeft = tab.offsetLeft - (list.clientWidth - tab.clientWidth) / 2
    }
    show()
    const sizes = new ResizeObserver(show)
    for (const element of [list, ...list.children]) sizes.observe(element)
    return () => sizes.disconnect()
  }, [open])
  return (
    <Tabs.List aria-label={label} ref={strip} className={classes.strip}>
      {names.map((name) => (
        <Tabs.Tab key={name} value={name} leftSection={icons?.[name]} data-tab={name} className={classes.tab}>
          {words[name]}
        </Tabs.Tab>
      ))}
    </Tabs.List>
  )
}
