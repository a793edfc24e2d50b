import { describeKills } from './kills.ts'

describeKills('postgres')
