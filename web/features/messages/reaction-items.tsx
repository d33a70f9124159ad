import { Menu } from '@mantine/core'
import { messageTexts } from '@ovation/contract/texts/messages'
import { IconPlus } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import classes from './reactions.module.css'

const texts = messageTexts.react
const usual = ['❤️', '👍', '😂', '😮', '😢', '🔥']

type Props = { chosen: string | null; onChoose: (emoji: string) => void; onMore: () => void }

/** The usual reactions, as items of a menu in one row. Arrow keys go through them in both directions. */
export function ReactionItems({ chosen, onChoose, onMore }: Props) {
  const offered = chosen === null || usual.includes(chosen) ? usual : [chosen, ...usual.slice(0, -1)]
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be in a menu
    <div role="group" aria-label={texts.group} className={classes.items} onKeyDown={moveSideways}>
      {offered.map((emoji) => (
        <Menu.Item
          key={emoji}
          aria-label={emoji === chosen ? texts.remove(emoji) : texts.with(emoji)}
          data-chosen={emoji === chosen}
          className={classes.item}
          onClick={() => onChoose(emoji)}
        >
          {emoji}
        </Menu.Item>
      ))}
      <Menu.Item aria-label={texts.more} title={texts.more} className={classes.item} onClick={onMore}>
        <IconPlus size={20} stroke={1.7} />
      </Menu.Item>
    </div>
  )
}

/** The menu itself moves up and down. */
function moveSideways(event: KeyboardEvent<HTMLElement>) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const items = [...event.currentTarget.querySelectorAll('button')]
  items.at((items.findIndex((item) => item.matches(':focus')) + step) % items.length)?.focus()
}
