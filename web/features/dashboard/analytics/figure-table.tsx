import { ScrollArea, Table } from '@mantine/core'
import tableClasses from '../tables.module.css'
import classes from './analytics.module.css'
import { type Column, formatUnit } from './columns.ts'

type Props<Row> = {
  title: string
  head: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  nameOf: (row: Row) => string
  /** The names are dates, which don't wrap. */
  isByDay: boolean
}

/** The numbers of a chart. */
export function FigureTable<Row>({ title, head, rows, columns, keyOf, nameOf, isByDay }: Props<Row>) {
  return (
    <ScrollArea.Autosize
      mah="22rem"
      offsetScrollbars
      viewportProps={{ tabIndex: 0, role: 'group', 'aria-label': title }}
      className={tableClasses.box ?? ''}
    >
      <Table className={isByDay ? tableClasses.table : `${tableClasses.table} ${classes.named}`}>
        <caption className="visually-hidden">{title}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{head}</Table.Th>
            {columns.map(({ name, label }) => (
              <Table.Th key={name} scope="col" data-number>
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              <Table.Th scope="row" data-date={isByDay || undefined} dir="auto">
                {nameOf(row)}
              </Table.Th>
              {columns.map(({ name, of, unit }) => (
                <Table.Td key={name} data-number>
                  {formatUnit(of(row), unit)}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  )
}
