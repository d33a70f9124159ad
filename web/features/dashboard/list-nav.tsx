import { Button, NativeSelect } from '@mantine/core'
import { fanListsMax } from '@ovation/contract/limits'
import { fanListTexts as texts } from '@ovation/contract/texts/fan-lists'
import { IconBolt, IconListDetails, IconPlus, IconUsers } from '@tabler/icons-react'
import type { FanList } from '../../domain/fans/list-queries.ts'
import { formatCount } from '../../lib/format/format-number.ts'
import classes from './list-nav.module.css'

type Props = {
  lists: readonly FanList[]
  /** The open list; null for all fans. */
  open: string | null
  onOpen: (list: string | null) => void
  onCreate: (kind: 'list' | 'smart') => void
}

const icon = { size: 17, stroke: 1.75, 'aria-hidden': true } as const

/** The lists beside the table of fans; on a phone, one field above it. */
export function ListNav({ lists, open, onOpen, onCreate }: Props) {
  return (
    <nav className={classes.nav} aria-label={texts.lists}>
      <NativeSelect
        aria-label={texts.choose}
        className={classes.field}
        value={open ?? ''}
        onChange={({ currentTarget }) => onOpen(currentTarget.value || null)}
        data={[{ value: '', label: texts.all }, ...lists.map(({ id, name }) => ({ value: id, label: name }))]}
      />
      <ul className={classes.lists}>
        <Entry isOpen={open === null} onClick={() => onOpen(null)} label={texts.all} icon={<IconUsers {...icon} />} />
        {lists.map((list) => (
          <Entry
            key={list.id}
            isOpen={open === list.id}
            onClick={() => onOpen(list.id)}
            label={list.name}
            icon={list.rule ? <IconBolt {...icon} /> : <IconListDetails {...icon} />}
            detail={
              list.rule ? <span className="visually-hidden">{texts.smart}</span> : formatCount(list.members_count)
            }
          />
        ))}
      </ul>
      {lists.length < fanListsMax ? (
        <div className={classes.buttons}>
          <Button variant="default" leftSection={<IconPlus {...icon} />} onClick={() => onCreate('list')}>
            {texts.create}
          </Button>
          <Button variant="default" leftSection={<IconBolt {...icon} />} onClick={() => onCreate('smart')}>
            {texts.createSmart}
          </Button>
        </div>
      ) : (
        <p className={classes.most}>{texts.form.most}</p>
      )}
    </nav>
  )
}

type EntryProps = {
  isOpen: boolean
  onClick: () => void
  label: string
  icon: React.ReactNode
  detail?: React.ReactNode
}

const Entry = ({ isOpen, onClick, label, icon, detail }: EntryProps) => (
  <li>
    <button type="button" className={classes.entry} aria-current={isOpen ? 'true' : undefined} onClick={onClick}>
      {icon}
      <span className={classes.name} dir="auto">
        {label}
      </span>
      {detail && <span className={classes.detail}>{detail}</span>}
    </button>
  </li>
)
