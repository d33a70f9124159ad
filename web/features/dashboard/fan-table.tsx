import { ActionIcon, Checkbox, Table } from '@mantine/core'
import { paths } from '@ovation/contract/paths'
import { fanListTexts as texts } from '@ovation/contract/texts/fan-lists'
import { IconArrowDown, IconArrowUp, IconMessageCircle } from '@tabler/icons-react'
import { Link } from 'react-router'
import { AboutFan } from '../../domain/fans/about-fan.tsx'
import type { Fan, FanOrder } from '../../domain/fans/list-queries.ts'
import { addressOf, nameOf } from '../../lib/auth/viewer.ts'
import { formatDate } from '../../lib/format/format-date.ts'
import { formatCents } from '../../lib/format/format-number.ts'
import { TableFrame } from '../../ui/table-frame.tsx'
import own from './fans-tab.module.css'
import { PersonAvatar, PersonLink } from './person-link.tsx'
import classes from './tables.module.css'
import { type RowAttributes, WindowedBody } from './windowed-body.tsx'

type Selection = ReadonlyMap<string, string>
type Props = {
  rows: Fan[]
  viewerId: string
  order: FanOrder
  onOrder: (order: FanOrder) => void
  /** Names of the selected fans by id. */
  selected: Selection
  onSelect: (selected: Selection) => void
}

/** A virtualized table of fans, ordered by the head of a column. */
export function FanTable({ rows, viewerId, order, onOrder, selected, onSelect }: Props) {
  const { columns } = texts
  const isAll = rows.every(({ fan_id }) => selected.has(fan_id))
  const head = { order, onOrder }
  return (
    <TableFrame>
      <Table
        className={`${classes.table} ${classes.long} ${own.table}`}
        aria-rowcount={-1}
        verticalSpacing="sm"
        horizontalSpacing="lg"
      >
        <caption className="visually-hidden">{texts.title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Td className={own.check}>
              <Checkbox
                aria-label={texts.selectAll}
                checked={isAll}
                indeterminate={!isAll && selected.size > 0}
                onChange={() => onSelect(isAll ? new Map() : new Map(rows.map((row) => [row.fan_id, shownName(row)])))}
              />
            </Table.Td>
            <Head sort="name" label={columns.fan} {...head} />
            <Table.Th scope="col" data-wide data-plan>
              {columns.plan}
            </Table.Th>
            <Head sort="since" label={columns.since} {...head} data-wide data-date />
            <Head sort="spent" label={columns.spent} {...head} data-number />
            <Table.Td data-narrow className={own.buttons} />
          </Table.Tr>
        </Table.Thead>
        <WindowedBody rows={rows} above={1}>
          {(row, attributes) => (
            <Line
              key={row.fan_id}
              row={row}
              viewerId={viewerId}
              attributes={attributes}
              isSelected={selected.has(row.fan_id)}
              onToggle={() => {
                const next = new Map(selected)
                if (!next.delete(row.fan_id)) next.set(row.fan_id, shownName(row))
                onSelect(next)
              }}
            />
          )}
        </WindowedBody>
      </Table>
    </TableFrame>
  )
}

const shownName = (row: Fan): string => row.custom_name ?? nameOf(row)

type HeadProps = Pick<Props, 'order' | 'onOrder'> & { sort: FanOrder['sort']; label: string }

function Head({ sort, label, order, onOrder, ...attributes }: HeadProps) {
  const isSorted = order.sort === sort
  const Arrow = order.ascending ? IconArrowUp : IconArrowDown
  return (
    <Table.Th
      scope="col"
      aria-sort={isSorted ? (order.ascending ? 'ascending' : 'descending') : undefined}
      {...attributes}
    >
      <button
        type="button"
        className={own.sort}
        // Names begin with A, dates and amounts with the greatest.
        onClick={() => onOrder({ sort, ascending: isSorted ? !order.ascending : sort === 'name' })}
      >
        {label}
        {isSorted && <Arrow size={14} stroke={2} aria-hidden="true" />}
      </button>
    </Table.Th>
  )
}

type LineProps = {
  row: Fan
  viewerId: string
  attributes: RowAttributes
  isSelected: boolean
  onToggle: () => void
}

function Line({ row, viewerId, attributes, isSelected, onToggle }: LineProps) {
  const name = shownName(row)
  return (
    <Table.Tr {...attributes} data-selected={isSelected || undefined}>
      <Table.Td className={own.check}>
        <Checkbox aria-label={texts.select(name)} checked={isSelected} onChange={onToggle} />
      </Table.Td>
      <Table.Td>
        <div className={classes.person}>
          <PersonAvatar person={row} size={32} />
          <div>
            <PersonLink person={row} />
            {row.custom_name && (
              <span className={own.note} dir="auto">
                {row.custom_name}
              </span>
            )}
            <span className={classes.under}>
              <span className={classes.plan}>{row.plan_name}</span>
              <span>{formatDate(row.since)}</span>
            </span>
          </div>
        </div>
      </Table.Td>
      <Table.Td data-wide data-plan>
        {row.plan_name}
      </Table.Td>
      <Table.Td data-wide data-date>
        {formatDate(row.since)}
      </Table.Td>
      <Table.Td data-number>{formatCents(row.spent)}</Table.Td>
      <Table.Td data-narrow>
        <AboutFan viewerId={viewerId} fan={{ id: row.fan_id, name: nameOf(row) }} />
        <ActionIcon
          component={Link}
          to={paths.conversation(addressOf(row))}
          variant="subtle"
          color="gray"
          size="lg"
          className={own.message}
          aria-label={texts.message(nameOf(row))}
        >
          <IconMessageCircle size={18} stroke={1.6} />
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  )
}
