import { Table } from '@mantine/core'
import classes from './operations.module.css'

type Props = {
  /** Names the table for those who hear it; what is seen stands above it. */
  caption: string
  head: readonly [first: string, ...figures: string[]]
  /** Each as long as `head`, in its order; the first of each tells it from the others. */
  rows: readonly (readonly [key: string, ...figures: string[]])[]
}

/** Numbers by day or by queue. What is too wide for a phone is scrolled in a frame of its own, by arrow keys too. */
export function FiguresTable({ caption, head: [first, ...names], rows }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys scroll what has no control in it
    <section className={`surface ${classes.frame}`} aria-label={caption} tabIndex={0}>
      <Table verticalSpacing="xs" horizontalSpacing="md">
        <caption className="visually-hidden">{caption}</caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{first}</Table.Th>
            {names.map((name) => (
              <Table.Th key={name} scope="col" data-number>
                {name}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([key, ...figures]) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{key}</Table.Th>
              {figures.map((figure, index) => (
                <Table.Td key={names[index]} data-number>
                  {figure}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  )
}
