declare i8* @returnaddress(i32)
