export { addPictures, styles } from '../parts/pictures.ts';
