import type { Category } from '@ovation/contract/limits'
import type { Random } from './random.ts'

type Words = readonly [string, ...string[]]

export const firstNames =
  words(`Ada Aisha Alba Amara Amelie Anton Asha Bela Bruno Camila Carmen Chidi Clara Dalia Dario Diego Edda Elias
  Elif Emeka Enzo Esme Farah Felix Fiona Freya Gaia Goran Greta Hana Hugo Ida Imani Ines Isla Ivo Jana Jonas Juno Kaito Kamal Keira Kofi
  Lamar Leila Leon Lina Luca Mai Malik Mara Mateo Mila Minh Nadia Naomi Nico Noor Olga Omar Oscar Paula Petra Priya Quinn Rafa Ravi Rosa
  Ruben Sana Selma Sofia Tariq Tess Theo Uma Vera Wren Yara Zoe`)

export const lastNames =
  words(`Abara Ahmadi Almeida Andersen Baker Banerjee Barros Becker Bianchi Bose Brandt Castillo Chen Costa Dahl Diallo
  Dubois Eriksen Falk Ferrari Fischer Fontaine Garcia Ghosh Haas Haddad Hansen Hassan Hoang Ibarra Ito Jansen Kaur Keller Khan Kovac Kruger
  Laurent Lindgren Lopez Maier Mbeki Mendes Meyer Moreau Mori Murphy Nakamura Nguyen Novak Nunez Okafor Olsen Ortega Pavlov Peeters Pereira
  Petrov Quist Ramos Reyes Ricci Rossi Sato Schmidt Silva Sorensen Suzuki Tanaka Torres Traore Ueda Vargas Vogel Walsh Weber Yilmaz Young
  Zapata Ziegler`)

/** Topics of pictures and texts in each category. */
const subjects: Record<Category, Words> = {
  Fitness: ['kettlebell circuit', 'long run', 'mobility routine', 'deadlift session', 'morning swim', 'hill repeats'],
  Lifestyle: [
    'slow Sunday',
    'balcony garden',
    'reading corner',
    'flea market find',
    'tiny kitchen',
    'week without a phone',
  ],
  Photography: [
    'roll of film',
    'harbour at dawn',
    'portrait session',
    'night walk',
    'darkroom print',
    'fog over the river',
  ],
  Fashion: ['linen jacket', 'hand-sewn hem', 'autumn wardrobe', 'natural dye', 'vintage coat', 'first fitting'],
  Cooking: ['sourdough', 'lamb stew', 'plum cake', 'knife skills lesson', 'market lunch', 'pot of beans'],
  Art: ['oil sketch', 'linocut', 'glaze test', 'charcoal study', 'mural in progress', 'new sketchbook'],
  Travel: ['night train', 'mountain hut', 'ferry crossing', 'desert road', 'old town', 'week by bicycle'],
  Wellness: ['breathing exercise', 'evening routine', 'yoga flow', 'walk in the rain', 'sleep diary', 'quiet hour'],
}

const openings: Words = [
  'Finally finished the',
  'Three tries, and here is the',
  'You asked for it: the',
  'Notes from today’s',
  'Behind the scenes of the',
  'What I learned from the',
  'A closer look at the',
  'Still thinking about the',
]
const middles: Words = [
  'It took longer than planned and was worth every minute.',
  'The light was kind to me for once.',
  'I kept the mistakes in, they are the best part.',
  'Nothing fancy, just patience and good tools.',
  'Swipe through for the steps, one by one.',
  'The first version went straight into the bin.',
  'I wrote down everything I used, down to the last detail.',
  'Half of it was luck, and I will take it.',
]
const endings: Words = [
  'Tell me what you would do differently.',
  'More of this next week.',
  'The long version is for subscribers.',
  'Questions? Ask away.',
  'Thank you for being here.',
  'Save it for the weekend.',
]
const bios: Words = [
  'everything I make and how I make it.',
  'weekly notes, the good and the bad.',
  'small steps, shown honestly.',
  'for people who like to look twice.',
  'started as a hobby, got out of hand.',
]
const comments: Words = [
  'This made my day.',
  'How long did it take you?',
  'Trying this on Saturday!',
  'The second picture is my favorite.',
  'More of this, please.',
  'I had no idea it could look like that.',
  'Saved. Thank you!',
  'Your best one yet.',
]
const messages: Words = [
  'Hi! Just wanted to say that your last post helped me a lot.',
  'Thank you so much, that means a lot.',
  'Do you plan another one of these soon?',
  'Next week, if all goes well.',
  'Which lens was that?',
  'An old 50 mm, nothing special.',
  'Could you show the beginning once more?',
  'Good idea, I will add it to the list.',
  'Have a great weekend!',
]

export function writeTitle(random: Random, category: Category): string {
  const subject = random.pick(subjects[category])
  return `${subject.charAt(0).toUpperCase()}${subject.slice(1)}`
}

export function writePost(random: Random, category: Category): string {
  const sentences = [`${random.pick(openings)} ${random.pick(subjects[category])}.`, random.pick(middles)]
  while (random.chance(0.4)) sentences.push(random.pick(middles))
  return [...sentences, random.pick(endings)].join(' ')
}

export function writeBio(random: Random, category: Category): string {
  return `${category}: ${random.pick(bios)}`
}

export function writeComment(random: Random): string {
  return random.pick(comments)
}

export function writeMessage(random: Random): string {
  return random.pick(messages)
}

function words(text: string): Words {
  const [first = '', ...rest] = text.split(/\s+/)
  return [first, ...rest]
}
